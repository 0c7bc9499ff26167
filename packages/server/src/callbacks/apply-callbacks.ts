// Applies stored callbacks to payments in batches. A batch is parsed again from the stored bytes, its payments are
// found, and all changes are recorded together. If only the provider can decide what a callback means, the provider is
// polled before that, outside of any transaction.

import { coalesce } from '../db/batch/coalesce.ts'
import { type Db, isDatabaseAway } from '../db/db.ts'
import type { Logger } from '../logging/log.ts'
import type { InquiryLimits } from '../provider-accounts/inquiry-limits.ts'
import type { LoadAccount, LoadedAccount } from '../provider-accounts/load-account.ts'
import type { Places } from '../provider-accounts/places.ts'
import type { ProviderHealth } from '../provider-accounts/watch-health.ts'
import { ProviderError } from '../providers/provider.ts'
import { currentSpan, paymentSpan, startSpan } from '../tracing/span.ts'
import type { Clock } from '../values/time.ts'
import {
  type Callback,
  callbackPriorities,
  findUnappliedCallbacks,
  type Separated,
  separateCallbacks,
} from './callback.sql.ts'
import { callbackInquiries, reserveInquiry } from './callback-inquiries.ts'
import { type Answer, type Message, type Question, type Read, readMessages } from './callback-message.ts'
import { callbackMetrics } from './callback-metrics.ts'
import { applyTogether, chief, type Settled } from './record-callbacks.ts'

type Deps = {
  db: Db
  clock: Clock
  log: Logger
  accountOf: LoadAccount
  health: ProviderHealth
  publicUrl: string
}

/**
 * The maximum number of callbacks in one batch. Callbacks that are loaded or recorded at the same time share one SQL
 * statement.
 */
const BATCH_SIZE = 400
/** The number of batches in flight. While one batch commits, the next one is read and locks its payments. */
const BATCHES_AT_ONCE = 2
/**
 * The maximum number of bytes of callback bodies that one batch loads. A callback may have 256 KB, but usually has
 * about 1 KB.
 */
const LOADED_BYTES = 4 * 1024 * 1024

/** The delay before a callback is retried whose payment may not have its provider id yet. */
const EARLY_AGAIN_MS = 15_000

/** The delay before a callback's first retry. It equals the queue's own delay before the second attempt of a job. */
const FIRST_BACK_OFF_MS = 2_700

export type CallbackApplication = {
  /** Applies the callbacks of a shared job. A callback that needs an inquiry or a retry gets a job of its own. */
  together(ids: string[]): Promise<void>
  /** Applies one callback. Throws if it cannot be settled now, so that its job is retried. */
  alone(id: string): Promise<void>
}

/**
 * Applies stored callbacks, from one to hundreds. Loading and recording are batched. The slots of `places` limit how
 * many callbacks wait for a provider, and a slow provider delays only its own callbacks.
 */
export function callbackApplication(app: Deps, places: Places, limits: InquiryLimits): CallbackApplication {
  const inquiries = callbackInquiries(app)
  const priorityOf = callbackPriorities(app.db)
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
      const settled = await app.db.transaction(tx => applyTogether(app, tx, batch, { isFinal: false }))
      tell(batch, settled, { startedMs, now: app.clock() })
      return settled
    },
    { name: 'settle_callbacks', ...sizes },
  )

  async function load(id: string): Promise<Callback | undefined> {
    for (;;) {
      const callback = await loadSome(id)
      if (callback?.body !== null) return callback
      // The body did not fit into this batch, so the callback is loaded again. Each further batch loads at least one
      // more body.
    }
  }

  async function read(id: string): Promise<Read> {
    const callback = await load(id)
    return callback ? readMessages(app, callback) : []
  }

  async function look(id: string): Promise<Pick<Settled, 'questions' | 'isEarly'> & { read: Read }> {
    const messages = await read(id)
    if (messages.length === 0) return { read: [], questions: [], isEarly: false }
    const { questions, isEarly } = await settle(messages)
    return { read: messages, questions, isEarly }
  }

  /**
   * Reserves an inquiry, or returns the milliseconds to wait before trying again (see `reserveInquiry`). It must be
   * synchronous, so that two callbacks about one payment never poll at the same time.
   */
  function reserve(loaded: LoadedAccount, open: Question[]): number {
    const waitMs = Math.max(...open.map(question => inquiries.waitMs(question)))
    return waitMs > 0 ? waitMs : reserveInquiry(loaded, { places, limits, now: app.clock() })
  }

  const answered = (read: Read, questions: Question[]): Promise<Read> =>
    answerQuestions(app, read, questions, question =>
      inquiries.ask(question, ms => limits.pause(question.message.callback.providerAccountId, ms)),
    )

  async function settleAnswered(id: string, messages: Read): Promise<void> {
    if ((await settle(messages)).isEarly) await separate(id, messages, EARLY_AGAIN_MS)
  }

  const separate = (id: string, read: Read, delayMs: number): Promise<void> =>
    separateCallbacks(app.db, [separated(id, read)], delayMs)

  /**
   * Describes the separate job of a callback. The job has the priority of the callback's own account, so that a flood
   * of callbacks that need inquiries does not delay other accounts.
   */
  const separated = (id: string, [first]: Read): Separated => ({
    id,
    priority: first ? priorityOf(first.callback.providerAccountId) : 0,
  })

  return {
    async together(ids) {
      const asking: Separated[] = []
      const early: Separated[] = []
      const failing: Separated[] = []
      const looks = await Promise.allSettled(ids.map(look))
      for (const [index, each] of looks.entries()) {
        const id = ids[index] as string
        if (each.status === 'fulfilled') {
          const { read, questions, isEarly } = each.value
          if (questions.length > 0) asking.push(separated(id, read))
          else if (isEarly) early.push(separated(id, read))
        } else {
          if (isDatabaseAway(each.reason)) throw each.reason
          app.log.warn(
            { err: each.reason, callbackId: id },
            'callback not applied; it will be retried on its own',
          )
          failing.push({ id, priority: 0 })
        }
      }
      if (asking.length > 0) await separateCallbacks(app.db, asking, 0)
      if (early.length > 0) await separateCallbacks(app.db, early, EARLY_AGAIN_MS)
      if (failing.length > 0) await separateCallbacks(app.db, failing, FIRST_BACK_OFF_MS)
    },
    async alone(id) {
      const { read, questions, isEarly } = await look(id)
      const [first] = questions
      if (!first) return isEarly ? separate(id, read, EARLY_AGAIN_MS) : undefined
      const { providerAccountId } = first.message.callback
      const loaded = await app.accountOf(providerAccountId)
      if (!loaded) throw new Error(`there is no provider account ${providerAccountId}`)
      const open = questions.filter(question => !inquiries.isAnswered(question))
      if (open.length === 0) return settleAnswered(id, await answered(read, questions))
      const waitMs = reserve(loaded, open)
      if (waitMs > 0) return separate(id, read, waitMs)
      let isAnswered = false
      try {
        const messages = await answered(read, questions)
        isAnswered = true
        await settleAnswered(id, messages)
      } finally {
        places.free(providerAccountId, isAnswered)
      }
    },
  }
}

/** Counts metrics once per callback, and adds a span to the trace of each payment that a callback reports on. */
function tell(batch: Read[], settled: Settled[], { startedMs, now }: { startedMs: number; now: Date }): void {
  for (const [index, { applied, questions, isEarly }] of settled.entries()) {
    const callback = batch[index]?.[0]?.callback
    if (!callback || questions.length > 0 || isEarly) continue
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

/**
 * Adds the provider's responses to the messages that need them. Throws if the provider does not
 * respond, so that the job is retried.
 */
export async function answerQuestions(
  { clock }: { clock: Clock },
  read: Read,
  questions: Question[],
  ask: (question: Question) => Promise<Answer | 'no answer'>,
): Promise<Read> {
  const answers = new Map(
    await Promise.all(
      questions.map(async question => {
        const { message, payment } = question
        const answer = await ask(question)
        if (answer === 'no answer') {
          if (!hasWaited(message, clock())) throw new ProviderError('unknown', 'the provider does not tell')
          return [message, { word: 'untold', asked: payment }] as const
        }
        if (mayBeBehind(message, answer.word, clock()))
          throw new ProviderError('unknown', 'the provider does not confirm the payment yet')
        return [message, answer] as const
      }),
    ),
  )
  return read.map(message => {
    const answer = 'report' in message ? answers.get(message) : undefined
    return answer === undefined ? message : { ...message, answer }
  })
}

/**
 * How long a signed report of payment waits for an inquiry to confirm it. After this time it is recorded even if the
 * provider never responds.
 */
const WAITS_FOR_ANSWER_MS = 60 * 60_000

const hasWaited = ({ callback, report }: Message, now: Date): boolean =>
  report.fact.type === 'paid' && now.getTime() - callback.receivedAt.getTime() >= WAITS_FOR_ANSWER_MS

/**
 * For this long after a callback, a `pending` response to the inquiry is not trusted: an inquiry may briefly return an
 * older status than the provider's own callback.
 */
const CONFIRMED_WITHIN_MS = 60_000

const mayBeBehind = ({ callback, needsConfirmation }: Message, word: Answer['word'], now: Date): boolean =>
  needsConfirmation &&
  typeof word !== 'string' &&
  word.fact.type === 'pending' &&
  now.getTime() - callback.receivedAt.getTime() < CONFIRMED_WITHIN_MS
