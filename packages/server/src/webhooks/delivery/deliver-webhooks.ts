// Delivers webhook events (docs/webhook-delivery.md). tenant-queues.ts chooses the next event, and a lease (lease.ts)
// ensures that only one process delivers it. The number of concurrent deliveries is limited by slots. An event occupies
// a slot from the time it is loaded until its attempt is recorded.

import { setImmediate as endOfTurn, setTimeout as pause } from 'node:timers/promises'
import type { Agent } from 'undici'
import { batchQueue } from '../../db/batch/batch-queue.ts'
import { batched } from '../../db/batch/batched.ts'
import { isDatabaseUnavailable } from '../../db/database-errors.ts'
import type { Db } from '../../db/db.ts'
import { isDistributed } from '../../db/distributed-database.ts'
import type { Logger } from '../../logging/log.ts'
import { inBatchSpan, paymentSpan } from '../../tracing/span.ts'
import type { Clock } from '../../values/time.ts'
import { signingSecrets } from '../endpoint/endpoint-secrets.ts'
import type { LoadEndpoint, LoadedEndpoint } from '../endpoint/load-endpoint.ts'
import { withBody } from '../stored-body.ts'
import { claimDueEvents, type LeasedEvent, releaseLeases, storeFollower } from './lease.sql.ts'
import { ATTEMPT_TIMEOUT_MS, type Lease, leaseExpiryFrom } from './lease.ts'
import { loadEvents } from './load-events.ts'
import { observeAttempt } from './observe-attempt.ts'
import { type PaymentAttempt, recordEndedAttempts } from './record-attempts.ts'
import { type AttemptResult, webhookSender } from './send-webhook.ts'
import { signedHeaders, storedSignature } from './sign.ts'
import { type TenantQueue, tenantQueues } from './tenant-queues.ts'

const EVENTS_PER_LOAD = 256
const STARTED_PER_TURN = 16
const ATTEMPTS_PER_RECORD = 1_000
/**
 * How long the result of a webhook delivery attempt waits, so that more results are recorded in one batch. A
 * batch twice as large costs a third less per result, and no other work needs the result immediately.
 */
const RECORD_DELAY_MS = 10
const TENANTS_PER_CLAIM = 100

type Deps = { db: Db; clock: Clock; log: Logger; endpointOf: LoadEndpoint } & { webhookAgent: Agent }

type Taken = { queue: TenantQueue; lease: Lease }
type Ready = Taken & { event: LeasedEvent; endpoint: LoadedEndpoint | undefined }

export type WebhookDelivery = {
  /**
   * Delivers the new webhook events that the calling job has leased. If the tenant's in-memory queue is full,
   * releases the leases on the remaining events.
   */
  deliver(leases: Lease[]): Promise<void>
  /**
   * Claims and delivers the webhook events of the given tenants that are due for a delivery attempt. Call
   * this function when the database may contain such events.
   */
  claimDue(tenantIds: string[]): void
  /**
   * Stops webhook delivery: releases the leases on events that wait in memory, so that other processes can
   * deliver these events, then waits for the delivery attempts in flight.
   */
  stop(): Promise<void>
}

const spanOf = ({ paymentId }: PaymentAttempt) => (paymentId === null ? undefined : paymentSpan(paymentId))

export function webhookDelivery(app: Deps): WebhookDelivery {
  const queues = tenantQueues()
  const sender = webhookSender(app.webhookAgent, ATTEMPT_TIMEOUT_MS, app.log)
  /**
   * The amount of work in progress: the number of delivery slots in use, plus the number of running queries that
   * claim webhook events or release leases.
   */
  let inProgress = 0
  let whenIdle: (() => void) | undefined
  let isStopping = false

  const ready: Ready[] = []
  let isStarting = false
  const load = batchQueue(loadBatch, { name: 'open_webhooks', batchSize: EVENTS_PER_LOAD })
  const record = batchQueue(recordBatch, { name: 'record_attempts', batchSize: ATTEMPTS_PER_RECORD })
  const claimInBatch = batched(
    (tenants: { tenantId: string; limit: number }[]) =>
      claimDueEvents(app.db, tenants, app.clock(), leaseExpiryFrom(app.clock())),
    {
      ...{ name: 'hold_due_webhooks', batchSize: TENANTS_PER_CLAIM },
      // On a distributed database, each tenant's events are claimed separately, so that an error on one shard does not
      // lose the events that were claimed on another.
      groupOf: isDistributed(app.db) ? each => each.tenantId : undefined,
    },
  )

  /** Starts loading waiting webhook events while delivery slots are free. */
  function fillSlots(): void {
    if (isStopping) return
    for (let next = queues.next(); next; next = queues.next()) {
      inProgress++
      load(next)
    }
  }

  /**
   * Counts the promise `work` as in progress until it ends, so that the function `stop` waits for it. `work` must
   * handle its own errors.
   */
  function track(work: Promise<void>): void {
    inProgress++
    void work.then(endWork)
  }
  function endWork(): void {
    inProgress--
    if (inProgress === 0) whenIdle?.()
  }

  async function loadBatch(taken: Taken[]): Promise<void> {
    try {
      const leases = taken.map(each => each.lease)
      const loaded = await loadEvents(app, leases)
      track(release(leases.filter((_, index) => loaded[index]?.step === 'release')))
      for (const [index, next] of loaded.entries()) {
        const each = taken[index] as Taken
        if (next.step === 'send') ready.push({ ...next, ...each })
        else if (next.step === 'wait') void waitForEarlier(each)
        else drop(each.queue)
      }
    } catch (error) {
      // Each event of the failed batch is loaded separately, so that a damaged row affects only its own event. A
      // stopping process loads no more events, because each statement may wait for a lock.
      let loaded = 0
      if (taken.length > 1 && !isDatabaseUnavailable(error))
        while (loaded < taken.length && !isStopping) await loadBatch(taken.slice(loaded, ++loaded))
      if (loaded < taken.length) giveUp(taken.slice(loaded), error)
    }
    if (!isStarting) void startInTurns()
  }

  function giveUp(taken: Taken[], error: unknown): void {
    const events = taken.map(({ lease: { tenantId, eventId } }) => ({ tenantId, eventId }))
    app.log.warn(
      { err: error, events },
      'leased webhooks could not be loaded; they are due again when the lease expires',
    )
    for (const { queue } of taken) drop(queue)
  }

  /**
   * Makes a webhook event wait until its payment's previous event is delivered or fails permanently. If that has
   * already happened, the event is due immediately.
   */
  async function waitForEarlier({ queue, lease }: Taken): Promise<void> {
    const { tenantId, eventId } = lease
    try {
      if (!(await storeFollower(app.db, lease))) await release([lease])
    } catch (error) {
      app.log.warn(
        { err: error, tenantId, eventId },
        'webhook event could not be queued behind the previous event of its payment',
      )
    }
    drop(queue)
  }

  /**
   * Starts only a few webhook delivery attempts per turn of Node's event loop. Later attempts can then reuse the
   * connections of attempts that have ended.
   */
  async function startInTurns(): Promise<void> {
    isStarting = true
    while (ready.length > 0) {
      for (const each of ready.splice(0, STARTED_PER_TURN)) attempt(each)
      await endOfTurn()
    }
    isStarting = false
  }

  function attempt(next: Ready): void {
    try {
      send(next)
    } catch (error) {
      const { tenantId, id: eventId, paymentId } = next.event
      app.log.warn(
        { err: error, tenantId, paymentId, eventId },
        'webhook was not attempted; it will be retried',
      )
      drop(next.queue)
    }
  }

  function send({ queue, lease, event, endpoint }: Ready): void {
    const { tenantId, id, type, paymentId } = event
    const startedAt = app.clock()
    const end = (result: Omit<AttemptResult, 'class'> & { signature: string | null }) => {
      const durationMs = app.clock().getTime() - startedAt.getTime()
      // A receiver also counts as unresponsive if its response body stalls. Like a missing response, such a response
      // occupies a webhook delivery slot until the timeout.
      endAttempt(queue, result.error === null)
      record({ ...result, ...lease, paymentId, startedAt, durationMs })
    }
    if (!endpoint || endpoint.callbackUrl === null) {
      end({
        ...{ responseStatus: null, responseHeaders: null, responseBody: null, signature: null },
        error: 'no callback URL is configured',
      })
      return
    }
    const body = Buffer.from(withBody(event).body)
    const headers = signedHeaders({ id, type, body }, signingSecrets(endpoint, startedAt), startedAt)
    headers['user-agent'] = 'Gapura-Webhooks/1'
    const observeEnd = observeAttempt(event, endpoint.callbackUrl, startedAt)
    sender.send(
      { tenantId, url: endpoint.callbackUrl, headers, body },
      ({ class: attemptClass, ...result }) => {
        observeEnd(attemptClass)
        end({ ...result, signature: storedSignature(headers) })
      },
    )
  }

  /**
   * Updates the queue after a webhook delivery attempt, and starts attempts in the free slots. `responded` is
   * undefined if no request was sent to the receiver.
   */
  function endAttempt(queue: TenantQueue, responded: boolean | undefined): void {
    track(release(queues.endAttempt(queue, responded)))
    claimIfRoom(queue)
    fillSlots()
  }

  /**
   * Ends the work on a webhook event without a delivery attempt, and frees the event's slot. The caller decides what
   * happens to the event's lease.
   */
  function drop(queue: TenantQueue): void {
    endAttempt(queue, undefined)
    freeSlots(1)
  }

  function freeSlots(count: number): void {
    for (let n = 0; n < count; n++) {
      queues.freeSlot()
      endWork()
    }
    fillSlots()
  }

  async function recordBatch(attempts: PaymentAttempt[]): Promise<void> {
    // Waits before the attempts are recorded. Webhook attempts that end during this delay are recorded
    // together in the next batch.
    await pause(RECORD_DELAY_MS)
    const followers = await inBatchSpan('record_attempts', attempts.map(spanOf), () =>
      recordEndedAttempts(app, attempts),
    )
    track(release(followers))
    freeSlots(attempts.length)
  }

  /** Releases leases, so that this or another process can lease the webhook events again immediately. */
  async function release(leases: Lease[]): Promise<void> {
    if (leases.length === 0) return
    try {
      await releaseLeases(app.db, leases, app.clock())
      claimDue(leases.map(each => each.tenantId))
    } catch (error) {
      app.log.warn(
        { err: error },
        'leases of webhook events could not be released; the events are due again when their leases expire',
      )
    }
  }

  function claimDue(tenantIds: string[]): void {
    for (const tenantId of new Set(tenantIds)) {
      const queue = queues.queueOf(tenantId)
      queue.mayHaveDue = true
      claimIfRoom(queue)
    }
  }

  function claimIfRoom(queue: TenantQueue): void {
    if (isStopping || !queue.mayHaveDue || queue.isClaiming) return
    const limit = queues.claimLimit(queue)
    if (limit > 0) track(claimFor(queue, limit))
  }

  /**
   * Claims up to `limit` due webhook events of a tenant. If the query finds `limit` events, the next query
   * follows at once. Otherwise, the next query follows after another `claimDue` call, which can also be made
   * while this query is running.
   */
  async function claimFor(queue: TenantQueue, limit: number): Promise<void> {
    const { tenantId } = queue
    queue.isClaiming = true
    // Clears `mayHaveDue` before the query that claims due events. If `claimDue` sets this flag again during the query,
    // another claim follows.
    queue.mayHaveDue = false
    try {
      const leases = await claimInBatch({ tenantId, limit })
      if (isStopping) await release(leases)
      else for (const lease of leases) queues.addDue(queue, lease)
      if (leases.length === limit) queue.mayHaveDue = true
    } catch (error) {
      app.log.warn({ err: error, tenantId }, 'due webhooks could not be loaded; the sweep will retry')
    } finally {
      queues.endClaim(queue)
      claimIfRoom(queue)
      fillSlots()
    }
  }

  return {
    async deliver(leases) {
      // The error makes the job fail, so that it stays in the job queue and another process runs it.
      if (isStopping) throw new Error('the worker is stopping')
      const withoutRoom = leases.filter(each => !queues.addNew(each))
      fillSlots()
      await release(withoutRoom)
    },
    claimDue,
    async stop() {
      isStopping = true
      await release(queues.clear())
      // Waits for the webhook delivery attempts in flight, which end within ATTEMPT_TIMEOUT_MS.
      if (inProgress > 0)
        await new Promise<void>(resolve => {
          whenIdle = resolve
        })
      sender.stop()
    },
  }
}
