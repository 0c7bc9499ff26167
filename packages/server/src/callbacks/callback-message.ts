// Parses a stored callback from its raw bytes with the current version of the provider's adapter. A fixed
// adapter can therefore parse callbacks that were unreadable before.

import { createHash } from 'node:crypto'
import { storesCompressed } from '../compression/compression-setting.ts'
import type { Db } from '../db/db.ts'
import type { Payment } from '../payments/payment.ts'
import type { LoadAccount, LoadedAccount } from '../provider-accounts/load-account.ts'
import type { CallbackUpdate, InquiryResult, ProviderUpdate } from '../providers/provider.ts'
import type { Mode } from '../values/mode.ts'
import type { Callback } from './callback.sql.ts'
import { compressMessage } from './stored-message.ts'

/**
 * The fields of a callback that are needed after parsing. The body is dropped to save memory. `compressed`
 * replaces the stored message when the outcome is stored.
 */
export type CallbackSource = Pick<Callback, 'id' | 'providerAccountId' | 'receivedAt'> & {
  compressed?: Buffer | null
}

/**
 * One update in a callback, with the data that is needed to apply it. A callback may contain updates of
 * several orders.
 */
export type CallbackMessage = {
  callback: CallbackSource
  provider: string
  mode: Mode
  update: CallbackUpdate
  /**
   * True if a status inquiry must confirm the payment before it is credited. This is the case if the amount
   * exceeds the provider account's limit and callbacks are authenticated only by a constant token. Such a
   * token may have leaked.
   */
  needsConfirmation: boolean
  /** The result of the status inquiry for this message. Absent if no inquiry was needed. */
  response?: InquiryResponse
}

/** The result of a status inquiry. `inquired` is the payment as it was before the inquiry. */
export type InquiryResponse = { result: InquiryResult; inquired: Payment }

/**
 * A callback without updates, because it reports nothing about a payment or cannot be parsed. `digest`
 * identifies copies of a callback that cannot be parsed.
 */
export type EmptyMessage = { callback: CallbackSource; reason: string } & (
  | { status: 'ignored' }
  | { status: 'unreadable'; digest: Buffer }
)

/** The messages of one stored callback. */
export type ReadCallback = (CallbackMessage | EmptyMessage)[]

/**
 * A message whose effect on the payment depends on a status inquiry. `update` contains the order reference of
 * the charge attempt to inquire about.
 */
export type NeededInquiry = { message: CallbackMessage; update: ProviderUpdate; payment: Payment }

/**
 * Parses a stored callback. The signature was verified on receipt. It is not verified again, because the
 * credentials may have changed since.
 */
export async function readMessages(
  app: { db: Db; accountOf: LoadAccount },
  stored: Callback,
): Promise<ReadCallback> {
  const { id, providerAccountId, receivedAt } = stored
  const loaded = await app.accountOf(providerAccountId)
  if (!loaded) throw new Error(`there is no provider account ${providerAccountId}`)
  const { provider, account } = loaded
  const reading = provider.readCallback(account, stored)
  if ('unreadable' in reading) {
    const callback = { id, providerAccountId, receivedAt }
    return [{ callback, status: 'unreadable', reason: reading.unreadable.reason, digest: digestOf(stored) }]
  }
  const compressed = storesCompressed(app.db) ? compressMessage(stored) : null
  const callback = { id, providerAccountId, receivedAt, compressed }
  if ('irrelevant' in reading) return [{ callback, status: 'ignored', reason: reading.irrelevant }]
  return reading.updates.map((update, index) => ({
    callback,
    provider: provider.code,
    mode: account.mode,
    update: withStorableIds(update, () => `${digestOf(stored).toString('hex')}-${index}`),
    needsConfirmation: needsConfirmation(loaded, update),
  }))
}

/**
 * Returns a hash of a callback's path and body. If the provider sends a callback twice, both copies have the
 * same hash.
 */
export const digestOf = ({ path, body }: Pick<Callback, 'path' | 'body'>): Buffer =>
  createHash('sha256').update(path).update(body).digest()

/**
 * Removes ids that PostgreSQL cannot store. If no id of the reported money is left, a digest of the callback
 * becomes the id.
 */
function withStorableIds(received: CallbackUpdate, messageId: () => string): CallbackUpdate {
  const known = (id: string | null) => (id !== null && isStorableId(id) ? id : null)
  const reference = known(received.reference)
  const update = { ...received, reference, providerPaymentId: known(received.providerPaymentId) ?? '' }
  const { fact, providerPaymentId } = update
  if (fact.type !== 'paid' || reference !== null || fact.receipt || providerPaymentId) return update
  return { ...update, fact: { ...fact, receipt: messageId() } }
}

/** Returns whether PostgreSQL can store the text as an id. */
const isStorableId = (text: string): boolean => text !== '' && !text.includes('\0') && text.isWellFormed()

function needsConfirmation(
  { provider, callbackRules: { callbackSources, inquireAbove } }: LoadedAccount,
  { fact }: CallbackUpdate,
): boolean {
  return (
    provider.callbackProof === 'static_token' &&
    callbackSources.length === 0 &&
    inquireAbove !== null &&
    fact.type === 'paid' &&
    fact.amountPaid > inquireAbove
  )
}
