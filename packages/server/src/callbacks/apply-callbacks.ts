// Applies stored callbacks to payments in batches. The service first parses the callbacks from their stored bytes and
// sends the status inquiries that they need. One transaction then records all changes of the batch.

import type { BatchLimits } from '../db/batch/batch-queue.ts'
import { batched } from '../db/batch/batched.ts'
import { isDatabaseUnavailable } from '../db/database-errors.ts'
import type { Db } from '../db/db.ts'
import { isDistributed } from '../db/distributed-database.ts'
import type { Logger } from '../logging/log.ts'
import type { AccountSlots } from '../provider-accounts/account-slots.ts'
import type { InquiryLimits } from '../provider-accounts/inquiry-limits.ts'
import type { LoadAccount, LoadedAccount } from '../provider-accounts/load-account.ts'
import type { ProviderHealth } from '../provider-accounts/provider-health.ts'
import { ProviderError } from '../providers/provider.ts'
import { currentSpan, paymentSpan, startSpan } from '../tracing/span.ts'
import type { Clock } from '../values/time.ts'
import {
  type Callback,
  callbackPriorities,
  findUnappliedCallbacks,
  moveToOwnJobs,
  type OwnJob,
} from './callback.sql.ts'
import { callbackInquiries, reserveInquiry } from './callback-inquiries.ts'
import {
  type InquiryResponse,
  type NeededInquiry,
  type ReadCallback,
  readMessages,
} from './callback-message.ts'
import { callbackMetrics } from './callback-metrics.ts'
import { mayBeOutdated } from './outdated-result.ts'
import {
  type CallbackResult,
  mainResult,
  recordCallbacks,
  storeCallbackOutcomes,
} from './record-callbacks.ts'
import { confirmsReturns, needsReturnsConfirmed } from './returned-money.ts'

type Deps = {
  db: Db
  clock: Clock
  log: Logger
  accountOf: LoadAccount
  health: ProviderHealth
  publicUrl: string
}

/**
 * The maximum number of callbacks per batch. A batch needs one SQL statement to load its callbacks and one transaction
 * to record them.
 */
const BATCH_SIZE = 400
/**
 * The maximum number of batches in flight. While one batch is committed, the next batch is loaded and its
 * payments are locked.
 */
const MAX_BATCHES_IN_FLIGHT = 2
/**
 * The maximum total size of the callback bodies that one batch loads. A body is usually about 1 KB, but may be as
 * large as 256 KB.
 */
const LOADED_BYTES = 4 * 1024 * 1024

/**
 * The delay before retrying a callback whose payment was not found. The payment may be found later, because the
 * provider may have sent the callback before the service stored the provider's ID for the payment.
 */
const RETRY_EARLY_MS = 15_000

/** The delay before a callback's first retry. The job queue uses the same delay before a job's second attempt. */
const FIRST_BACK_OFF_MS = 2_700

export type CallbackApplier = {
  /** Applies a job's callbacks. A callback that needs a status inquiry or a retry gets its own job. */
  applyBatch(ids: string[]): Promise<void>
  /** Applies one callback. Throws an error if the queue must retry the job later. */
  applyOne(id: string): Promise<void>
}

/**
 * Applies stored callbacks in batches. `places` limits how many status inquiries per provider account run at
 * the same time, so that a slow provider delays only its own callbacks.
 */
export function callbackApplier(app: Deps, places: AccountSlots, limits: InquiryLimits): CallbackApplier {
  const inquiries = callbackInquiries(app)
  const priorityOf = callbackPriorities(app.db)
  // On a distributed database, each callback has its own transaction, because a batch's payments may be on
  // different shards.
  const split = <In>(groupOf: (input: In) => string | undefined) =>
    isDistributed(app.db) ? groupOf : undefined
  const batchLimits: Omit<BatchLimits<never>, 'name'> = {
    batchSize: BATCH_SIZE,
    maxInFlight: MAX_BATCHES_IN_FLIGHT,
  }
  const loadInBatch = batched(
    async (ids: string[]) => {
      const found = await findUnappliedCallbacks(app.db, [...new Set(ids)], { bytes: LOADED_BYTES })
      const callbacks = new Map(found.map(callback => [callback.id, callback]))
      return ids.map(id => callbacks.get(id))
    },
    { name: 'load_callbacks', ...batchLimits, groupOf: split((id: string) => id) },
  )
  const recordInBatch = batched(
    async (batch: ReadCallback[]) => {
      const startedMs = Date.now()
      // On a distributed database, a callback and its payment are on different shards. To avoid a two-phase commit, a
      // second transaction stores the callback's outcome. After a crash between the two transactions, the callback is
      // applied again, which changes nothing and has the outcome `repeated`.
      const storesOutcomes = !isDistributed(app.db)
      const settled = await app.db.transaction(tx =>
        recordCallbacks(app, tx, batch, { isFinal: false, storesOutcomes }),
      )
      if (!storesOutcomes)
        await app.db.transaction(tx => storeCallbackOutcomes(tx, batch, settled, app.clock()))
      countAndTrace(batch, settled, { startedMs, now: app.clock() })
      return settled
    },
    {
      name: 'settle_callbacks',
      ...batchLimits,
      groupOf: split((read: ReadCallback) => read[0]?.callback.id),
    },
  )

  async function load(id: string): Promise<Callback | undefined> {
    for (;;) {
      const callback = await loadInBatch(id)
      if (callback?.body !== null) return callback
      // The body is null if the batch reached its size limit before this callback, so the next batch loads
      // it. The loop always ends, because each batch loads at least one body.
    }
  }

  async function read(id: string): Promise<ReadCallback> {
    const callback = await load(id)
    return callback ? readMessages(app, callback) : []
  }

  async function readAndRecord(
    id: string,
  ): Promise<Pick<CallbackResult, 'neededInquiries' | 'isEarly'> & { read: ReadCallback }> {
    const messages = await read(id)
    if (messages.length === 0) return { read: [], neededInquiries: [], isEarly: false }
    const { neededInquiries, isEarly } = await recordInBatch(messages)
    return { read: messages, neededInquiries, isEarly }
  }

  /**
   * Returns 0 if the status inquiries that a callback needs may be sent now, and reserves them. Otherwise,
   * returns how many milliseconds to wait. The function is synchronous, so that two callbacks about one
   * payment cannot both reserve an inquiry.
   */
  function reserve(loaded: LoadedAccount, open: NeededInquiry[]): number {
    const waitMs = Math.max(...open.map(neededInquiry => inquiries.waitMs(neededInquiry)))
    return waitMs > 0 ? waitMs : reserveInquiry(loaded, { places, limits, now: app.clock() })
  }

  const complete = (
    read: ReadCallback,
    neededInquiries: NeededInquiry[],
    onResponse?: () => void,
  ): Promise<ReadCallback> =>
    completeByInquiry(app, read, neededInquiries, async neededInquiry => {
      const response = await inquiries.inquire(neededInquiry, ms =>
        limits.pause(neededInquiry.message.callback.providerAccountId, ms),
      )
      if (response !== 'no answer') onResponse?.()
      return response
    })

  async function recordAnswered(id: string, messages: ReadCallback): Promise<void> {
    const { isEarly, neededInquiries } = await recordInBatch(messages)
    if (isEarly) await moveToOwnJob(id, messages, RETRY_EARLY_MS)
    // The callback needs another inquiry because the payment has changed, and the earlier inquiry's result is therefore
    // outdated.
    else if (neededInquiries.length > 0) await moveToOwnJob(id, messages, FIRST_BACK_OFF_MS)
  }

  const moveToOwnJob = (id: string, read: ReadCallback, delayMs: number): Promise<void> =>
    moveToOwnJobs(app.db, [ownJobOf(id, read)], delayMs)

  /**
   * Describes the job that applies only this callback. The larger the provider account's backlog, the lower the
   * job's priority, so that a flood of callbacks for one account does not delay others.
   */
  const ownJobOf = (id: string, [first]: ReadCallback): OwnJob => ({
    id,
    priority: first ? priorityOf(first.callback.providerAccountId) : 0,
  })

  return {
    async applyBatch(ids) {
      const needInquiry: OwnJob[] = []
      const early: OwnJob[] = []
      const failing: OwnJob[] = []
      const readings = await Promise.allSettled(ids.map(readAndRecord))
      for (const [index, each] of readings.entries()) {
        const id = ids[index] as string
        if (each.status === 'fulfilled') {
          const { read, neededInquiries, isEarly } = each.value
          if (neededInquiries.length > 0) needInquiry.push(ownJobOf(id, read))
          else if (isEarly) early.push(ownJobOf(id, read))
        } else {
          if (isDatabaseUnavailable(each.reason)) throw each.reason
          app.log.warn(
            { err: each.reason, callbackId: id },
            'callback not applied; it will be retried in its own job',
          )
          failing.push({ id, priority: 0 })
        }
      }
      if (needInquiry.length > 0) await moveToOwnJobs(app.db, needInquiry, 0)
      if (early.length > 0) await moveToOwnJobs(app.db, early, RETRY_EARLY_MS)
      if (failing.length > 0) await moveToOwnJobs(app.db, failing, FIRST_BACK_OFF_MS)
    },
    async applyOne(id) {
      const { read, neededInquiries, isEarly } = await readAndRecord(id)
      const [first] = neededInquiries
      if (!first) return isEarly ? moveToOwnJob(id, read, RETRY_EARLY_MS) : undefined
      const { providerAccountId } = first.message.callback
      const loaded = await app.accountOf(providerAccountId)
      if (!loaded) throw new Error(`there is no provider account ${providerAccountId}`)
      const open = neededInquiries.filter(neededInquiry => !inquiries.isAnswered(neededInquiry))
      if (open.length === 0) return recordAnswered(id, await complete(read, neededInquiries))
      const waitMs = reserve(loaded, open)
      if (waitMs > 0) return moveToOwnJob(id, read, waitMs)
      let unanswered = neededInquiries.length
      try {
        const messages = await complete(read, neededInquiries, () => {
          unanswered -= 1
        })
        await recordAnswered(id, messages)
      } finally {
        places.release(providerAccountId, unanswered === 0)
      }
    },
  }
}

/**
 * Counts each callback once in the metrics, and adds a span to the trace of each payment that the callback
 * concerns.
 */
function countAndTrace(
  batch: ReadCallback[],
  settled: CallbackResult[],
  { startedMs, now }: { startedMs: number; now: Date },
): void {
  for (const [index, { applied, neededInquiries, isEarly }] of settled.entries()) {
    const callback = batch[index]?.[0]?.callback
    if (!callback || neededInquiries.length > 0 || isEarly) continue
    callbackMetrics.settled.inc({ outcome: mainResult(applied).status })
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
 * Sends the status inquiries that a callback's messages need, and adds the responses to the messages. If the
 * provider does not respond or its response may be outdated, throws an error so that the job queue retries.
 */
export async function completeByInquiry(
  { clock }: { clock: Clock },
  read: ReadCallback,
  neededInquiries: NeededInquiry[],
  ask: (neededInquiry: NeededInquiry) => Promise<InquiryResponse | 'no answer'>,
): Promise<ReadCallback> {
  const startedAt = clock()
  const answers = new Map(
    await Promise.all(
      neededInquiries.map(async neededInquiry => {
        const { message, payment } = neededInquiry
        const response = await ask(neededInquiry)
        if (response === 'no answer') {
          if (!hasWaited(neededInquiry, clock()))
            throw new ProviderError('unknown', 'the provider did not respond to the status inquiry')
          return [message, { result: 'not_reported', inquired: payment }] as const
        }
        if (lacksReturns({ ...neededInquiry, message: { ...message, response } }, clock()))
          throw new ProviderError('unknown', 'the provider does not confirm the returned money yet')
        return [message, response] as const
      }),
    ),
  )
  for (const neededInquiry of neededInquiries) {
    const response = answers.get(neededInquiry.message)
    if (response && mayBeOutdated(neededInquiry, response.result, startedAt))
      throw new ProviderError('unknown', 'the provider does not confirm the payment yet')
  }
  return read.map(message => {
    const response = 'update' in message ? answers.get(message) : undefined
    return response === undefined ? message : { ...message, response }
  })
}

/**
 * How long the service waits for the result of a status inquiry. After this time, it credits money that a signed
 * callback reports as received. Reported refunds and chargebacks that need confirmation then count as unconfirmed.
 */
const WAITS_FOR_RESPONSE_MS = 60 * 60_000

const hasWaited = ({ message, payment }: NeededInquiry, now: Date): boolean =>
  (message.update.fact.type === 'paid' || needsReturnsConfirmed(message, payment)) &&
  now.getTime() - message.callback.receivedAt.getTime() >= WAITS_FOR_RESPONSE_MS

/**
 * The age of a callback up to which its status inquiry is retried, if the callback reports a refund or chargeback and
 * needs confirmation. A provider's status API may list a refund or chargeback later than a callback reports it.
 */
const LISTED_WITHIN_MS = 60_000

/**
 * Returns true if a recent callback reports a refund or chargeback that the status inquiry does not list yet. Also
 * returns true if the inquiry lists the refund or chargeback with an earlier status than the callback.
 */
const lacksReturns = ({ message, payment }: NeededInquiry, now: Date): boolean =>
  needsReturnsConfirmed(message, payment) &&
  !confirmsReturns(message) &&
  now.getTime() - message.callback.receivedAt.getTime() < LISTED_WITHIN_MS
