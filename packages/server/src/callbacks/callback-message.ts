// Parses a stored callback from its raw bytes. The current version of the adapter is used, so a fixed adapter can read
// callbacks that an earlier version could not.

import { createHash } from 'node:crypto'
import type { Payment } from '../payments/payment.ts'
import type { LoadAccount, LoadedAccount } from '../provider-accounts/load-account.ts'
import type { CallbackUpdate, InquiryResult, ProviderUpdate } from '../providers/provider.ts'
import type { Mode } from '../values/mode.ts'
import type { Callback } from './callback.sql.ts'

/**
 * The fields of a callback that are needed after parsing. The body is dropped to save memory, because many callbacks
 * may be waiting.
 */
export type CallbackSource = Pick<Callback, 'id' | 'providerAccountId' | 'receivedAt'>

/**
 * One update of a callback, with the data that is needed to apply the update. A callback may contain updates of several
 * orders.
 */
export type CallbackMessage = {
  callback: CallbackSource
  provider: string
  mode: Mode
  update: CallbackUpdate
  /**
   * Whether the callback is authenticated only by a constant token. The token may have leaked, so a status inquiry must
   * confirm the payment before it is credited.
   */
  needsConfirmation: boolean
  /** The result of the status inquiry. The field is absent if no inquiry was needed. */
  response?: InquiryResponse
}

/** The result of a status inquiry. `inquired` is the payment as it was before the inquiry. */
export type InquiryResponse = { result: InquiryResult; inquired: Payment }

/** A callback without updates, because it reports nothing relevant or cannot be parsed. */
export type EmptyMessage = { callback: CallbackSource; status: 'ignored' | 'unreadable'; reason: string }

/** All messages that one stored callback contains. */
export type ReadCallback = (CallbackMessage | EmptyMessage)[]

/**
 * A message whose effect on the payment depends on a status inquiry. `update` contains the reference of the payment's
 * charge attempt.
 */
export type NeededInquiry = { message: CallbackMessage; update: ProviderUpdate; payment: Payment }

/**
 * Parses a stored callback. The callback was verified when it was received, so it is not verified again, even if the
 * credentials have changed.
 */
export async function readMessages(app: { accountOf: LoadAccount }, stored: Callback): Promise<ReadCallback> {
  const { id, providerAccountId, receivedAt } = stored
  const callback = { id, providerAccountId, receivedAt }
  const loaded = await app.accountOf(providerAccountId)
  if (!loaded) throw new Error(`there is no provider account ${providerAccountId}`)
  const { provider, account } = loaded
  const reading = provider.readCallback(account, stored)
  if ('unreadable' in reading) return [{ callback, status: 'unreadable', reason: reading.unreadable.reason }]
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
 * Returns the digest of a callback as received. If the provider sends a callback twice, both copies have equal digests.
 */
export const digestOf = ({ path, body }: Pick<Callback, 'path' | 'body'>): Buffer =>
  createHash('sha256').update(path).update(body).digest()

/** Drops an id that PostgreSQL cannot store. A payment without any id is identified by a digest of its message. */
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
