// Parses a stored callback from its raw bytes with the current version of the provider's adapter. A fixed
// adapter can therefore parse callbacks that were unreadable before.

import { createHash } from 'node:crypto'
import { storesCompressed } from '../compression/compression-setting.ts'
import type { Db } from '../db/db.ts'
import type { Payment } from '../payments/payment.ts'
import type { LoadAccount, LoadedAccount } from '../provider-accounts/load-account.ts'
import type { CallbackUpdate, InquiryResult, ProviderUpdate } from '../providers/provider.ts'
import type { Mode } from '../values/mode.ts'
import type { Cents } from '../values/money.ts'
import type { Callback } from './callback.sql.ts'
import { compressMessage } from './stored-message.ts'

/**
 * The fields of a callback that are needed after parsing. The body is dropped to save memory. When the
 * outcome is stored, `compressed` is stored in place of the original message.
 */
export type CallbackSource = Pick<Callback, 'id' | 'providerAccountId' | 'receivedAt'> & {
  compressed?: Buffer | null
}

/** One update in a callback, with the data needed to apply it. A callback may contain updates for several orders. */
export type CallbackMessage = {
  callback: CallbackSource
  provider: string
  mode: Mode
  update: CallbackUpdate
  /**
   * True if a status inquiry must confirm the payment before it is credited. This is the case if the amount exceeds
   * the provider account's limit and callbacks are authenticated only by a constant token. Such a token may have
   * leaked.
   */
  needsConfirmation: boolean
  /**
   * A refund or chargeback above this limit, in cents, must be confirmed by a status inquiry (returned-money.ts). Null
   * or absent if there is no limit, because the message itself proves the refund or chargeback.
   */
  returnsConfirmedAbove?: Cents | null
  /** The status inquiry's result for this message. Absent if no inquiry was needed. */
  response?: InquiryResponse
}

/** The result of a status inquiry. `inquired` is the payment as it was when the inquiry was sent. */
export type InquiryResponse = { result: InquiryResult; inquired: Payment }

/**
 * The message of a callback that contains no updates, because it reports nothing about a payment or cannot be
 * parsed. If it cannot be parsed, `digest` identifies further copies of the same callback.
 */
export type EmptyMessage = { callback: CallbackSource; reason: string } & (
  | { status: 'ignored' }
  | { status: 'unreadable'; digest: Buffer }
)

/** One stored callback's messages. */
export type ReadCallback = (CallbackMessage | EmptyMessage)[]

/** A callback message that needs a status inquiry. `update` contains the order reference to inquire about. */
export type NeededInquiry = { message: CallbackMessage; update: ProviderUpdate; payment: Payment }

/**
 * Parses a stored callback. The signature was verified when the callback was received. It is not verified again,
 * because the credentials may have changed since then.
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
    returnsConfirmedAbove: confirmedAbove(loaded),
  }))
}

/**
 * Returns a hash of a callback's path and body. If the provider sends a callback twice, both copies have the
 * same hash.
 */
export const digestOf = ({ path, body }: Pick<Callback, 'path' | 'body'>): Buffer =>
  createHash('sha256').update(path).update(body).digest()

/**
 * Removes IDs that PostgreSQL cannot store. If no ID of reported money is left, a hash of the callback becomes the
 * money's receipt ID.
 */
function withStorableIds(received: CallbackUpdate, messageId: () => string): CallbackUpdate {
  const known = (id: string | null) => (id !== null && isStorableId(id) ? id : null)
  const reference = known(received.reference)
  const update = { ...received, reference, providerPaymentId: known(received.providerPaymentId) ?? '' }
  const { fact, providerPaymentId } = update
  if (fact.type !== 'paid' || reference !== null || fact.receipt || providerPaymentId) return update
  return { ...update, fact: { ...fact, receipt: messageId() } }
}

/** Returns whether PostgreSQL can store the text as an ID. */
const isStorableId = (text: string): boolean => text !== '' && !text.includes('\0') && text.isWellFormed()

function needsConfirmation(loaded: LoadedAccount, { fact }: CallbackUpdate): boolean {
  const limit = confirmedAbove(loaded)
  return limit !== null && fact.type === 'paid' && fact.amountPaid > limit
}

/**
 * Returns the amount above which a status inquiry must confirm a callback, or null if callbacks need no confirmation.
 */
const confirmedAbove = ({
  provider,
  callbackRules: { callbackSources, inquireAbove },
}: LoadedAccount): Cents | null =>
  provider.callbackProof === 'static_token' && callbackSources.length === 0 ? inquireAbove : null
