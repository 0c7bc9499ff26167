// Applies kept callbacks to payments, as many at a time as wait: read them again from their bytes, find their
// payments, and record everything at once; where only the provider's present word can tell what follows, it is
// asked in between, outside of any transaction.

import type { App } from '../app.ts'
import { coalesce } from '../coalesce.ts'
import { isDatabaseAway, type Tx } from '../db/db.ts'
import type { Mode } from '../mode.ts'
import { askAbout } from '../payments/ask-provider.ts'
import { findReferences, type PaymentKey } from '../payments/payment.sql.ts'
import { asOfTry, type Payment, type ShownStatus, shownStatus } from '../payments/payment.ts'
import { type Recorded, type Report, recordEvents } from '../payments/record-event.ts'
import { isAboutMoney, recordUnclaimed, type Unclaimed } from '../payments/record-unclaimed.ts'
import { type Here, meaningOfAnswer, meaningOfCallback, meaningOfReport } from '../payments/report.ts'
import { placesFor } from '../provider-accounts/places.ts'
import {
  type MoneyReturn,
  ProviderError,
  type ProviderReport,
  type ProviderWord,
} from '../providers/provider.ts'
import { currentSpan, paymentSpan, startSpan } from '../tracing/span.ts'
import {
  type Callback,
  type CallbackOutcome,
  findUnappliedCallbacks,
  separateCallbacks,
  updateCallbacks,
} from './callback.sql.ts'
import { callbackMetrics } from './callback-metrics.ts'

type Deps = Pick<App, 'db' | 'clock' | 'log' | 'accountOf' | 'health' | 'publicUrl'>

/** What is still needed of a callback that was read. Not its body: of those that wait, there may be many. */
type Source = Pick<Callback, 'id' | 'providerAccountId' | 'receivedAt'>
/** One report of a callback. answer: the provider's, where it had to be asked what follows. */
type Message = {
  callback: Source
  provider: string
  mode: Mode
  report: ProviderReport
  answer?: Answer
}
/** asked: the payment as it was before the question. */
type Answer = { word: ProviderWord; asked: Payment }
/** Why nothing can be taken from a callback. */
type Unread = { callback: Source; unread: string }
type Read = (Message | Unread)[]

/** What one report of a callback did; from and to as the API shows them. */
export type AppliedReport = CallbackOutcome & { from: ShownStatus | null; to: ShownStatus | null }

/** Only the provider can tell what follows for this payment. */
type Question = { message: Message; payment: Payment }

/** Callbacks that are looked up, or recorded, at the same time share the statements for it. */
const BATCH_SIZE = 400
/** While one batch commits, the next is read, and locks its payments. */
const BATCHES_AT_ONCE = 2
/** Of the bodies that a batch loads; a provider may send 256 KB, and usually sends one. */
const LOADED_BYTES = 4 * 1024 * 1024

/** A callback about which its provider has to be asked, where no more may be asked of that provider now. */
const ASKED_LATER_MS = 2_000

/** As long as the queue itself waits before it tries a job for the second time. */
const FIRST_BACK_OFF_MS = 2_700

export type CallbackApplication = {
  /** Those that share a job. Each that needs more than a look gets a job of its own, and the others are done. */
  together(ids: string[]): Promise<void>
  /** Throws where it cannot be settled now: its job comes again. */
  alone(id: string): Promise<void>
}

/**
 * Applies kept callbacks, one or hundreds, of which atOnce may wait for a provider: looking up and recording are shared,
 * while a provider that has to be asked, or a message that cannot be read, holds up its own callback only.
 */
export function callbackApplication(app: Deps, atOnce: number): CallbackApplication {
  const places = placesFor(atOnce)
  const sizes = { batchSize: BATCH_SIZE, atOnce: BATCHES_AT_ONCE, isShared: isDatabaseAway }
  const loadSome = coalesce(
    async (ids: string[]) => {
      const found = await findUnappliedCallbacks(app.db, [...new Set(ids)], { bytes: LOADED_BYTES })
      const callbacks = new Map(found.map(callback => [callback.id, callback]))
      return ids.map(id => callbacks.get(id))
    },
    { name: 'load_callbacks', ...sizes },
  )
  const settle = coalesce(
    async (batch: Read[]) => {
      const startedMs = Date.now()
      const settled = await app.db.transaction(tx => applyTogether(app, tx, batch))
      tell(batch, settled, { startedMs, now: app.clock() })
      return settled
    },
    { name: 'settle_callbacks', ...sizes },
  )

  async function load(id: string): Promise<Callback | undefined> {
    for (;;) {
      const callback = await loadSome(id)
      if (callback?.body !== null) return callback
      // In one of the next batches, of which each loads some.
    }
  }

  async function read(id: string): Promise<Read> {
    const callback = await load(id)
    return callback ? readCallback(app, callback) : []
  }

  async function look(id: string): Promise<{ read: Read; questions: Question[] }> {
    const messages = await read(id)
    if (messages.length === 0) return { read: [], questions: [] }
    return { read: messages, questions: (await settle(messages)).questions }
  }

  return {
    async together(ids) {
      const [asking, failing]: [string[], string[]] = [[], []]
      const looks = await Promise.allSettled(ids.map(look))
      for (const [index, each] of looks.entries()) {
        const id = ids[index] as string
        if (each.status === 'fulfilled') {
          if (each.value.questions.length > 0) asking.push(id)
        } else {
          if (isDatabaseAway(each.reason)) throw each.reason
          app.log.warn({ err: each.reason, callbackId: id }, 'callback not applied; it is tried again alone')
          failing.push(id)
        }
      }
      if (asking.length > 0) await separateCallbacks(app.db, asking, 0)
      if (failing.length > 0) await separateCallbacks(app.db, failing, FIRST_BACK_OFF_MS)
    },
    async alone(id) {
      const { read, questions } = await look(id)
      const [first] = questions
      if (!first) return
      const { providerAccountId } = first.message.callback
      if (!places.take(providerAccountId)) return separateCallbacks(app.db, [id], ASKED_LATER_MS)
      let isAnswered = false
      try {
        const answered = await answerQuestions(app, read, questions)
        isAnswered = true
        await settle(answered)
      } finally {
        places.free(providerAccountId, isAnswered)
      }
    },
  }
}

/** A callback may report on several payments; it is counted as one, and is a part of the trace of each. */
function tell(batch: Read[], settled: Settled[], { startedMs, now }: { startedMs: number; now: Date }): void {
  for (const [index, { applied, questions }] of settled.entries()) {
    const callback = batch[index]?.[0]?.callback
    if (!callback || questions.length > 0) continue
    callbackMetrics.settled.inc({ outcome: chief(applied).status })
    callbackMetrics.delay.observe((now.getTime() - callback.receivedAt.getTime()) / 1_000)
    for (const { id, status, paymentId } of applied)
      if (paymentId !== null)
        startSpan('settle callback', {
          parent: paymentSpan(paymentId),
          links: [currentSpan()],
          startTime: startedMs,
          attributes: { 'gapura.callback_id': id, 'gapura.outcome': status },
        })?.end()
  }
}

/** What it says; the bytes alone decide. */
export async function readCallback(app: Pick<App, 'accountOf'>, kept: Callback): Promise<Read> {
  const { id, providerAccountId, receivedAt } = kept
  const callback = { id, providerAccountId, receivedAt }
  const loaded = await app.accountOf(providerAccountId)
  if (!loaded) throw new Error(`there is no provider account ${providerAccountId}`)
  const reading = loaded.provider.readCallback(loaded.account, { ...kept, isKept: true })
  // It held when it came in; only a change of credentials in between can have broken it.
  if (!reading.verified) return [{ callback, unread: `it does not verify any more: ${reading.reason}` }]
  if (!('reports' in reading) || reading.reports.length === 0)
    return [{ callback, unread: 'it reports on no order' }]
  const { provider, account } = loaded
  return reading.reports.map(report => ({
    callback,
    provider: provider.code,
    mode: account.mode,
    report: { ...report, reference: report.reference ?? '' },
  }))
}

/** The same messages with the provider's word to those that need it. Throws where there is no answer: the job comes again. */
export async function answerQuestions(app: Deps, read: Read, questions: Question[]): Promise<Read> {
  const answers = new Map(
    await Promise.all(
      questions.map(async ({ message, payment }) => {
        const { reference, providerPaymentId } = message.report
        const { providerAccountId } = message.callback
        const asked = asOfTry(payment, { reference, providerAccountId, providerPaymentId })
        const word = await askAbout(app, asked)
        if (word !== 'no answer') return [message, { word, asked }] as const
        if (!hasWaited(message, app.clock())) throw new ProviderError('unknown', 'the provider does not tell')
        return [message, { word: 'untold', asked }] as const
      }),
    ),
  )
  return read.map(message => {
    const answer = 'report' in message ? answers.get(message) : undefined
    return answer === undefined ? message : { ...message, answer }
  })
}

/** A provider that never answers again must not keep money from being recorded that it signed for. */
const WAITS_FOR_ANSWER_MS = 60 * 60_000

const hasWaited = ({ callback, report }: Message, now: Date): boolean =>
  report.fact.type === 'paid' && now.getTime() - callback.receivedAt.getTime() >= WAITS_FOR_ANSWER_MS

export type Settled = { applied: AppliedReport[]; questions: Question[] }

/** A message may report on several orders; what it changed says more than what it did not. */
export function chief(applied: AppliedReport[]): AppliedReport {
  const told = applied.find(({ status }) => status === 'applied') ?? applied[0]
  if (!told) throw new Error('a callback was applied without an outcome')
  return told
}

/** A callback of which something has to be asked first stays as it is, all of it. */
export async function applyTogether(
  { clock, publicUrl }: Pick<App, 'clock' | 'publicUrl'>,
  tx: Tx,
  batch: Read[],
): Promise<Settled[]> {
  const now = clock()
  const messages = batch.flat()
  const keys = await findKeys(tx, messages)
  const questions: Question[] = []
  const reports: Report[] = []
  const unclaimed: Unclaimed[] = []
  const outcomes = messages.map(message => {
    const { callback } = message
    if ('unread' in message) return () => outcome(callback, 'ignored', message.unread)
    const key = keys.get(message)
    if (!key) {
      const { provider, mode, report } = message
      const isMoney = isAboutMoney(report)
      if (isMoney)
        unclaimed.push({ provider, mode, report, providerAccountId: message.callback.providerAccountId })
      const reason = `no payment of this account has the reference ${report.reference}`
      return () =>
        outcome(callback, 'unmatched', isMoney ? `${reason}; its money waits for the Owner` : reason)
    }
    const position = reports.length
    reports.push({
      ...key,
      event: payment => {
        const meaning = meaningOf(message, payment, { now, publicUrl })
        if (meaning !== 'ask') return meaning
        questions.push({ message, payment })
        return undefined
      },
      returned: { reference: message.report.reference, returns: returnsOf(message) },
      cause: message.answer === undefined ? 'callback' : 'inquiry',
    })
    return (results: Recorded[]) => appliedReport(message, key, results[position] as Recorded)
  })
  const results = reports.length > 0 ? await recordEvents(tx, reports, now) : []
  if (unclaimed.length > 0) await recordUnclaimed(tx, unclaimed, now)

  const applied = outcomes.map(each => each(results))
  const asked = new Set(questions.map(({ message }) => message.callback.id))
  await updateCallbacks(
    tx,
    applied.filter(({ id }) => !asked.has(id)),
    now,
  )
  const of = (read: Read) => new Set(read.map(({ callback }) => callback.id))
  return batch.map(read => {
    const ids = of(read)
    return {
      applied: applied.filter(({ id }) => ids.has(id)),
      questions: questions.filter(({ message }) => ids.has(message.callback.id)),
    }
  })
}

/** Which payments they are about, if the account was given them. */
async function findKeys(tx: Tx, messages: Read): Promise<Map<Message, PaymentKey>> {
  const read = messages.filter(message => 'report' in message)
  const found = await findReferences(
    tx,
    read.map(({ callback, report }) => ({
      reference: report.reference,
      providerAccountId: callback.providerAccountId,
    })),
  )
  // By account too: one callback of a batch must not find what another one's account was given.
  const place = (accountId: string, reference: string) => `${accountId}/${reference}`
  const keys = new Map(found.map(each => [place(each.providerAccountId, each.reference), each]))
  return new Map(
    read.flatMap(message => {
      const key = keys.get(place(message.callback.providerAccountId, message.report.reference))
      return key ? [[message, { tenantId: key.tenantId, paymentId: key.paymentId }] as const] : []
    }),
  )
}

function meaningOf({ report, answer }: Message, payment: Payment, here: Here) {
  if (answer === undefined) return meaningOfCallback(report, payment, here)
  const { word, asked } = answer
  // A provider that has no way to tell, or no longer knows the order that it signed a message about, leaves us with
  // the message, as far as that proves anything.
  if (typeof word === 'string') return meaningOfReport(report, payment, here)
  // Only that it failed speaks against money that it signed for; an inquiry may be behind, or not know the receipt.
  if (report.fact.type === 'paid' && word.fact.type !== 'failed')
    return meaningOfReport(report, payment, here)
  return meaningOfAnswer(word, asked, payment, here)
}

/** Those of the message, and those of the provider's answer, which may know more of the same ones. */
const returnsOf = ({ report, answer }: Message): MoneyReturn[] => [
  ...(report.returns ?? []),
  ...(answer !== undefined && typeof answer.word !== 'string' ? (answer.word.returns ?? []) : []),
]

function appliedReport(message: Message, key: PaymentKey, recorded: Recorded): AppliedReport {
  const to = shownStatus(recorded.payment.status)
  return {
    ...told(message, recorded),
    ...key,
    from: recorded.kind === 'changed' ? shownStatus(recorded.from) : to,
    to,
  }
}

function told({ callback, report, answer }: Message, recorded: Recorded): AppliedReport {
  switch (recorded.kind) {
    case 'ignored': {
      const { fact } = answer !== undefined && typeof answer.word !== 'string' ? answer.word : report
      const reason = 'reason' in fact ? fact.reason : `a report of ${fact.type} changes nothing`
      return outcome(callback, 'ignored', answer === undefined ? reason : `the provider was asked: ${reason}`)
    }
    case 'changed':
      return outcome(callback, 'applied', null)
    case 'unchanged':
      return outcome(callback, 'repeated', null)
    case 'set_aside':
      return outcome(callback, 'refused', recorded.reason)
    case 'refused':
      return outcome(callback, 'refused', recorded.reason)
  }
}

const outcome = (
  callback: Source,
  status: CallbackOutcome['status'],
  reason: string | null,
): AppliedReport => ({
  id: callback.id,
  status,
  reason,
  tenantId: null,
  paymentId: null,
  from: null,
  to: null,
})
