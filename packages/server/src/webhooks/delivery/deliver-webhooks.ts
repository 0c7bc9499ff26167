// Delivers webhook events: loads the events that this process holds, signs and sends them, and records the results.
// Each step handles a batch of events. lanes.ts decides which event is next; hold.ts decides which process may deliver
// it.

import { setImmediate as endOfTurn, setTimeout as pause } from 'node:timers/promises'
import type { Agent } from 'undici'
import { batchQueue } from '../../db/batch/batch-queue.ts'
import { batched } from '../../db/batch/batched.ts'
import { isDatabaseUnavailable } from '../../db/database-errors.ts'
import type { Db } from '../../db/db.ts'
import type { Logger } from '../../logging/log.ts'
import { inBatchSpan, paymentSpan } from '../../tracing/span.ts'
import type { Clock } from '../../values/time.ts'
import { signingSecrets } from '../endpoint/endpoint-secrets.ts'
import type { LoadEndpoint, LoadedEndpoint } from '../endpoint/load-endpoint.ts'
import { type EndedAttempt, recordAttempts, recordLate } from './attempt.sql.ts'
import { type HeldEvent, holdDueEvents, openHeld, releaseHolds, renewHolds, waitBehind } from './hold.sql.ts'
import { ATTEMPT_TIMEOUT_MS, type Held, holdFrom, lastsForAnAttempt } from './hold.ts'
import { type Lane, openLanes } from './lanes.ts'
import { type Answer, webhookSender } from './send-webhook.ts'
import { signedHeaders } from './sign.ts'
import { watchAttempt } from './watch-attempt.ts'

/** The time from the end of a failed attempt to the start of the next attempt. */
export const RETRY_PAUSE_MS = 10_000
const OPENED_AT_ONCE = 256
const BEGUN_IN_A_TURN = 16
const RECORDED_AT_ONCE = 1_000
/**
 * The delay before results are recorded, so that batches get larger. No other work waits for the record, and in a batch
 * of twice the size each record costs a third less.
 */
const RECORD_PAUSE_MS = 10
const LANES_LOOKING_AT_ONCE = 100

type Deps = { db: Db; clock: Clock; log: Logger; endpointOf: LoadEndpoint } & { webhookAgent: Agent }

type Taken = { lane: Lane; held: Held }
type Ready = { lane: Lane; event: HeldEvent; endpoint: LoadedEndpoint | undefined }

export type WebhookDelivery = {
  /**
   * Delivers events that a job holds. Events for which their tenant's lane (lanes.ts) has no room become due in the
   * table immediately.
   */
  deliver(held: Held[]): Promise<void>
  /** Looks for due events of these tenants in the table. Call it when there may be any. */
  look(tenantIds: string[]): void
  stop(): Promise<void>
}

/** An attempt that has ended. `paymentId` is null for a test event. */
type Ended = EndedAttempt & { paymentId: string | null }
const tracedBy = ({ paymentId }: Ended) => (paymentId === null ? undefined : paymentSpan(paymentId))

export function webhookDelivery(app: Deps): WebhookDelivery {
  const lanes = openLanes()
  const sender = webhookSender(app.webhookAgent, ATTEMPT_TIMEOUT_MS)
  /** The number of slots in use plus the number of statements in flight. */
  let underWay = 0
  let whenIdle: (() => void) | undefined
  let stopping = false

  const ready: Ready[] = []
  let isBeginning = false
  const open = batchQueue(openTogether, { name: 'open_webhooks', batchSize: OPENED_AT_ONCE })
  const record = batchQueue(recordTogether, { name: 'record_attempts', batchSize: RECORDED_AT_ONCE })
  const holdDueInBatch = batched(
    (wanted: { tenantId: string; limit: number }[]) =>
      holdDueEvents(app.db, wanted, app.clock(), holdFrom(app.clock())),
    { name: 'hold_due_webhooks', batchSize: LANES_LOOKING_AT_ONCE },
  )

  function pump(): void {
    if (stopping) return
    for (let next = lanes.next(); next; next = lanes.next()) {
      underWay++
      open(next)
    }
  }

  /** Counts `work` as in flight until it ends. `work` must catch its own errors. */
  function track(work: Promise<void>): void {
    underWay++
    void work.then(ended)
  }
  function ended(): void {
    underWay--
    if (underWay === 0) whenIdle?.()
  }

  async function openTogether(taken: Taken[]): Promise<void> {
    try {
      const now = app.clock()
      const held = taken.map(each => each.held)
      const lasting = held.every(each => lastsForAnAttempt(each, now))
        ? held
        : await renewHolds(app.db, held, holdFrom(now))
      const found = await openHeld(app.db, lasting)
      const endpoints = await endpointsOf(new Set(found.flatMap(each => each?.event.tenantId ?? [])))
      for (const [index, opened] of found.entries()) {
        const { lane } = taken[index] as Taken
        const endpoint = opened && endpoints.get(opened.event.tenantId)
        if (!opened || endpoint === null) leaveAlone(lane)
        else if (opened.isBehind) void waitInTurn({ lane, held: lasting[index] as Held })
        // Loading the event took so long that its hold must be renewed.
        else if (!lastsForAnAttempt(lasting[index] as Held, app.clock()))
          open({ lane, held: lasting[index] as Held })
        else ready.push({ lane, event: opened.event, endpoint })
      }
    } catch (error) {
      app.log.warn(
        { err: error },
        'claimed webhooks could not be loaded; they are due again when the claim expires',
      )
      for (const { lane } of taken) leaveAlone(lane)
    }
    if (!isBeginning) void beginInTurns()
  }

  /** Loads the endpoint of each tenant. An endpoint is null if it cannot be loaded now. */
  async function endpointsOf(
    tenantIds: Set<string>,
  ): Promise<Map<string, LoadedEndpoint | null | undefined>> {
    const load = async (tenantId: string) => {
      const endpoint = await app.endpointOf(tenantId).catch(error => {
        app.log.warn(
          { err: error, tenantId },
          'webhook endpoint could not be read; its events will be retried',
        )
        return null
      })
      return [tenantId, endpoint] as const
    }
    return new Map(await Promise.all([...tenantIds].map(load)))
  }

  /**
   * Starts a few attempts in each turn of the event loop, so that early responses free connections for later attempts.
   */
  async function beginInTurns(): Promise<void> {
    isBeginning = true
    while (ready.length > 0) {
      for (const each of ready.splice(0, BEGUN_IN_A_TURN)) attempt(each)
      await endOfTurn()
    }
    isBeginning = false
  }

  /**
   * Lets an event wait as the follower of the pending event before it. The follower is released when the earlier event
   * is settled.
   */
  async function waitInTurn({ lane, held }: Taken): Promise<void> {
    try {
      if (await waitBehind(app.db, held)) leaveAlone(lane)
      // The earlier event has been settled in the meantime, so this event need not wait.
      else open({ lane, held })
    } catch (error) {
      app.log.warn({ err: error, ...held }, 'webhook could not be queued behind the previous one')
      leaveAlone(lane)
    }
  }

  function attempt(ready: Ready): void {
    try {
      send(ready)
    } catch (error) {
      const { tenantId, id: eventId, paymentId } = ready.event
      app.log.warn(
        { err: error, tenantId, paymentId, eventId },
        'webhook was not attempted; it will be retried',
      )
      leaveAlone(ready.lane)
    }
  }

  function send({ lane, event, endpoint }: Ready): void {
    const { tenantId, id, type, paymentId } = event
    const startedAt = app.clock()
    const answered = (answer: Omit<Answer, 'class'>) => {
      const durationMs = app.clock().getTime() - startedAt.getTime()
      // A response with a status but a body that stalls occupies a slot as long as a missing response. It therefore
      // counts as no response.
      isOver(lane, answer.error === null)
      record({ ...answer, tenantId, eventId: id, paymentId, startedAt, durationMs })
    }
    if (!endpoint || endpoint.callbackUrl === null) {
      answered({ responseStatus: null, responseBody: null, error: 'no callback URL is configured' })
      return
    }
    const body = Buffer.from(event.body)
    const headers = signedHeaders({ id, type, body }, signingSecrets(endpoint, startedAt), startedAt)
    headers['user-agent'] = 'Gapura-Webhooks/1'
    const ended = watchAttempt(event, endpoint.callbackUrl, startedAt)
    sender.send({ url: endpoint.callbackUrl, headers, body }, ({ class: attemptClass, ...answer }) => {
      ended(attemptClass)
      answered(answer)
    })
  }

  /**
   * Ends an attempt of a lane and starts the attempts that may start now. `answered` is whether the receiver responded;
   * undefined if there was no attempt.
   */
  function isOver(lane: Lane, answered: boolean | undefined): void {
    track(leave(lanes.answered(lane, answered)))
    refill(lane)
    pump()
  }

  /**
   * Drops an event without an attempt. Either another process holds the event, or it becomes due when its hold expires.
   */
  function leaveAlone(lane: Lane): void {
    isOver(lane, undefined)
    free(1)
  }

  function free(places: number): void {
    for (let n = 0; n < places; n++) {
      lanes.free()
      ended()
    }
    pump()
  }

  async function recordTogether(attempts: Ended[]): Promise<void> {
    // Attempts that end during this pause are recorded in the next batch.
    await pause(RECORD_PAUSE_MS)
    await inBatchSpan('record_attempts', attempts.map(tracedBy), () => recordAll(attempts))
    free(attempts.length)
  }

  /** Records attempts. If an attempt cannot be recorded, it is repeated when the hold of its event expires. */
  async function recordAll(attempts: Ended[]): Promise<void> {
    try {
      const { followers, late } = await recordAttempts(app.db, attempts, RETRY_PAUSE_MS)
      track(leave(followers))
      for (const each of late) await recordBeside(each)
    } catch (error) {
      if (attempts.length > 1 && !isDatabaseUnavailable(error)) {
        for (const each of attempts) await recordAll([each])
        return
      }
      const events = attempts.map(({ tenantId, eventId, paymentId }) => ({ tenantId, eventId, paymentId }))
      app.log.warn({ err: error, events }, 'webhook attempts were not recorded; they will be repeated')
    }
  }

  /**
   * Records an attempt whose event is already settled. The other attempts are already recorded, so an error here
   * affects only the record of this attempt.
   */
  async function recordBeside(late: Ended): Promise<void> {
    await recordLate(app.db, late).catch(error => {
      const { tenantId, eventId, paymentId } = late
      app.log.warn(
        { err: error, tenantId, paymentId, eventId },
        'attempt of a settled webhook was not recorded',
      )
    })
  }

  /** Returns events to the table, where this process or another one finds them later. */
  async function leave(held: Held[]): Promise<void> {
    if (held.length === 0) return
    try {
      await releaseHolds(app.db, held, app.clock())
      for (const tenantId of new Set(held.map(each => each.tenantId))) call(lanes.laneOf(tenantId))
    } catch (error) {
      app.log.warn(
        { err: error },
        'claimed webhooks could not be released; they are due again when the claim expires',
      )
    }
  }

  function call(lane: Lane): void {
    lane.hasMore = true
    refill(lane)
  }

  function refill(lane: Lane): void {
    if (stopping || !lane.hasMore || lane.isLooking) return
    const limit = lanes.wanted(lane)
    if (limit > 0) track(look(lane, limit))
  }

  /**
   * Reads due events of a tenant from the table. If it fails or finds fewer events than requested, it stops reading
   * until the next call, unless there was a call during the query.
   */
  async function look(lane: Lane, limit: number): Promise<void> {
    const { tenantId } = lane
    lane.isLooking = true
    // A call during the query sets it again.
    lane.hasMore = false
    try {
      const found = await holdDueInBatch({ tenantId, limit })
      if (stopping) await leave(found)
      else for (const held of found) lanes.put(lane, held)
      if (found.length === limit) lane.hasMore = true
    } catch (error) {
      app.log.warn({ err: error, tenantId }, 'due webhooks could not be loaded; the sweep will retry')
    } finally {
      lanes.looked(lane)
      refill(lane)
      pump()
    }
  }

  return {
    async deliver(held) {
      // The job stays in the queue for another process.
      if (stopping) throw new Error('the worker is stopping')
      const left = held.filter(each => !lanes.add(each))
      pump()
      await leave(left)
    },
    look(tenantIds) {
      for (const tenantId of tenantIds) call(lanes.laneOf(tenantId))
    },
    async stop() {
      stopping = true
      await leave(lanes.clear())
      // Waits for the attempts in flight, which end within ATTEMPT_TIMEOUT_MS.
      if (underWay > 0)
        await new Promise<void>(resolve => {
          whenIdle = resolve
        })
      sender.stop()
    },
  }
}
