// What a stored callback says, read from its bytes by the adapter of today.

import { createHash } from 'node:crypto'
import type { App } from '../app.ts'
import type { Mode } from '../mode.ts'
import type { Payment } from '../payments/payment.ts'
import type { LoadedAccount } from '../provider-accounts/load-account.ts'
import type { CallbackReport, ProviderReport, ProviderWord } from '../providers/provider.ts'
import type { Callback } from './callback.sql.ts'

/** What is still needed of a callback that was read. Its body is not: many callbacks may be waiting. */
export type Source = Pick<Callback, 'id' | 'providerAccountId' | 'receivedAt'>

/** One report of a callback. */
export type Message = {
  callback: Source
  provider: string
  mode: Mode
  report: CallbackReport
  /** Its proof is a token that may have leaked, so it credits nothing that the provider does not confirm. */
  needsConfirmation: boolean
  /** The provider's, where it had to be asked what follows. */
  answer?: Answer
}

/** asked: the payment as it was before the question. */
export type Answer = { word: ProviderWord; asked: Payment }

/** A callback that reports nothing, or nothing that can be understood. */
export type NoReport = { callback: Source; status: 'ignored' | 'unreadable'; reason: string }

/** All of one callback. */
export type Read = (Message | NoReport)[]

/** Only the provider can tell what follows for this payment. report: with the reference of the payment's try. */
export type Question = { message: Message; report: ProviderReport; payment: Payment }

/** It was verified at receipt; whatever happened to the credentials since, it stays verified. */
export async function readMessages(app: Pick<App, 'accountOf'>, stored: Callback): Promise<Read> {
  const { id, providerAccountId, receivedAt } = stored
  const callback = { id, providerAccountId, receivedAt }
  const loaded = await app.accountOf(providerAccountId)
  if (!loaded) throw new Error(`there is no provider account ${providerAccountId}`)
  const { provider, account } = loaded
  const reading = provider.readCallback(account, stored)
  if ('unreadable' in reading) return [{ callback, status: 'unreadable', reason: reading.unreadable.reason }]
  if ('irrelevant' in reading) return [{ callback, status: 'ignored', reason: reading.irrelevant }]
  return reading.reports.map((report, index) => ({
    callback,
    provider: provider.code,
    mode: account.mode,
    report: identified(report, () => `${digestOf(stored).toString('hex')}-${index}`),
    needsConfirmation: needsConfirmation(loaded, report),
  }))
}

/** Of a callback as it was received; the provider's retry has the same. */
export const digestOf = ({ path, body }: Pick<Callback, 'path' | 'body'>): Buffer =>
  createHash('sha256').update(path).update(body).digest()

/** An id that cannot be stored counts as absent. Money without any id is identified by a digest of its message. */
function identified(given: CallbackReport, messageId: () => string): CallbackReport {
  const known = (id: string | null) => (id !== null && isId(id) ? id : null)
  const reference = known(given.reference)
  const report = { ...given, reference, providerPaymentId: known(given.providerPaymentId) ?? '' }
  const { fact, providerPaymentId } = report
  if (fact.type !== 'paid' || reference !== null || fact.receipt || providerPaymentId) return report
  return { ...report, fact: { ...fact, receipt: messageId() } }
}

/** Text that PostgreSQL can store. */
const isId = (text: string): boolean => text !== '' && !text.includes('\0') && text.isWellFormed()

function needsConfirmation(
  { provider, callbackRules: { callbackSources, inquireAbove } }: LoadedAccount,
  { fact }: CallbackReport,
): boolean {
  return (
    provider.callbackProof === 'static_token' &&
    callbackSources.length === 0 &&
    inquireAbove !== null &&
    fact.type === 'paid' &&
    fact.amountPaid > inquireAbove
  )
}
