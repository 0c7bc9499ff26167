// Delivers events: opens those that this process holds, signs, sends and writes down what came of it, each step for as
// many at a time as there are. Which goes next is the lanes' to say (lanes.ts), who has it hold.ts'.

import { setTimeout as pause } from 'node:timers/promises'
import type { Agent } from 'undici'
import type { App } from '../app.ts'
import { coalesce } from '../coalesce.ts'
import { isDatabaseAway } from '../db/db.ts'
import { type EndedAttempt, recordAttempts } from './attempt.sql.ts'
import {
  type HeldEvent,
  holdDueEvents,
  type Opened,
  openHeld,
  releaseHolds,
  renewHolds,
  waitBehind,
} from './hold.sql.ts'
import { ATTEMPT_TIMEOUT_MS, type Held, holdFrom, lastsForAnAttempt } from './hold.ts'
import { type Lane, openLanes } from './lanes.ts'
import { signingSecrets } from './load-endpoint.ts'
import { type Answer, webhookSender } from './send-webhook.ts'
import { signedHeaders } from './sign.ts'

/** From the end of a failed attempt to the beginning of the next. */
export const RETRY_PAUSE_MS = 10_000
/** While these are sent and answered, the next are opened: with all of them at once there would be a connection for each. */
const OPENED_AT_ONCE = 128
const RECORDED_AT_ONCE = 500
/** Nobody waits for an attempt to be on record, and twice as many of them cost a third less each. */
const RECORD_PAUSE_MS = 4
const LANES_LOOKING_AT_ONCE = 100

type Deps = Pick<App, 'db' | 'clock' | 'log' | 'endpointOf'> & { webhookAgent: Agent }

export type WebhookDelivery = {
  /** Of events that their job holds. What there is no room for is due in the table at once. */
  deliver(held: Held[]): Promise<void>
  /** There may be due events of these tenants in the table. */
  look(tenantIds: string[]): void
  stop(): Promise<void>
}

export function webhookDelivery(app: Deps): WebhookDelivery {
  const lanes = openLanes()
  const sender = webhookSender(app.webhookAgent, ATTEMPT_TIMEOUT_MS)
  let underWay = 0
  let whenIdle: (() => void) | undefined
  let stopping = false

  const open = coalesce(openAll, { batchSize: OPENED_AT_ONCE, isShared: isDatabaseAway })
  const record = coalesce(recordAll, { batchSize: RECORDED_AT_ONCE, isShared: isDatabaseAway })
  const holdDue = coalesce(
    (wanted: { tenantId: string; limit: number }[]) =>
      holdDueEvents(app.db, wanted, app.clock(), holdFrom(app.clock())),
    { batchSize: LANES_LOOKING_AT_ONCE, isShared: isDatabaseAway },
  )

  function pump(): void {
    while (!stopping) {
      const next = lanes.next()
      if (!next) break
      track(attempt(next.lane, next.held))
    }
  }

  /** Of what catches its own errors. */
  function track(work: Promise<void>): void {
    underWay++
    void work.then(ended)
  }
  function ended(): void {
    underWay--
    if (underWay === 0) whenIdle?.()
  }

  /** What fails here lapses with its hold, and is attempted again. */
  async function attempt(lane: Lane, held: Held): Promise<void> {
    let answered: boolean | undefined
    let isOver = false
    const over = () => {
      isOver = true
      const excess = lanes.answered(lane, answered)
      if (excess.length > 0) track(leave(excess))
    }
    try {
      const event = await openInTurn(held)
      if (!event) return
      const startedAt = app.clock()
      const answer = await send(event, startedAt)
      const durationMs = app.clock().getTime() - startedAt.getTime()
      // With a status, but hanging in its body, it takes up as much time as one that says nothing.
      answered = answer.error === null
      over()
      refill(lane)
      pump()
      await record({ ...answer, tenantId: event.tenantId, eventId: event.id, startedAt, durationMs })
    } catch (error) {
      app.log.warn(
        { err: error, eventId: held.eventId },
        'a webhook was not attempted or not recorded; it is again',
      )
    } finally {
      if (!isOver) over()
      lanes.free()
      refill(lane)
      pump()
    }
  }

  async function recordAll(ended: EndedAttempt[]): Promise<undefined[]> {
    // More come meanwhile, for the next time.
    await pause(RECORD_PAUSE_MS)
    const followers = await recordAttempts(app.db, ended, RETRY_PAUSE_MS)
    if (followers.length > 0) track(leave(followers))
    return ended.map(() => undefined)
  }

  /** An event behind another of its payment leaves word, and is let go by whoever settles that one. */
  async function openInTurn(held: Held): Promise<HeldEvent | undefined> {
    for (;;) {
      const opened = await open(held)
      if (!opened?.isBehind) return opened?.event
      if (await waitBehind(app.db, opened.event, opened.heldUntil)) return undefined
      // It was settled meanwhile.
      held = { ...held, heldUntil: opened.heldUntil }
    }
  }

  async function openAll(held: Held[]): Promise<(Opened | undefined)[]> {
    const now = app.clock()
    const lasting = held.every(each => lastsForAnAttempt(each, now))
      ? held
      : await renewHolds(app.db, held, holdFrom(now))
    return openHeld(app.db, lasting)
  }

  async function send(event: HeldEvent, at: Date): Promise<Answer> {
    const endpoint = await app.endpointOf(event.tenantId)
    if (!endpoint || endpoint.callbackUrl === null)
      return { responseStatus: null, responseBody: null, error: 'no callback URL is configured' }
    const { id, type } = event
    const body = Buffer.from(event.body)
    const headers = signedHeaders({ id, type, body }, signingSecrets(endpoint, at), at)
    headers['user-agent'] = 'Gapura-Webhooks/1'
    return sender.send({ url: endpoint.callbackUrl, headers, body })
  }

  /** To the table, where its lane finds it, or another process's. */
  async function leave(held: Held[]): Promise<void> {
    try {
      await releaseHolds(app.db, held, app.clock())
      for (const tenantId of new Set(held.map(each => each.tenantId))) call(lanes.laneOf(tenantId))
    } catch (error) {
      app.log.warn({ err: error }, 'held webhooks could not be given up; their holds lapse')
    }
  }

  function call(lane: Lane): void {
    lane.calls++
    lane.hasMore = true
    refill(lane)
  }

  function refill(lane: Lane): void {
    if (stopping || !lane.hasMore || lane.isLooking) return
    const limit = lanes.wanted(lane)
    if (limit > 0) track(look(lane, limit))
  }

  /** Only a look in vain ends the looking, unless somebody called during it. */
  async function look(lane: Lane, limit: number): Promise<void> {
    lane.isLooking = true
    const { calls, tenantId } = lane
    try {
      const found = await holdDue({ tenantId, limit })
      if (stopping) await leave(found)
      else for (const held of found) lanes.put(lane, held)
      if (found.length < limit && lane.calls === calls) lane.hasMore = false
    } catch (error) {
      lane.hasMore = false
      app.log.warn({ err: error, tenantId }, 'due webhooks could not be looked for; the sweep does it again')
    } finally {
      lane.isLooking = false
      lanes.settle(lane)
      pump()
    }
  }

  return {
    async deliver(held) {
      // The queue keeps the job, for another process.
      if (stopping) throw new Error('the worker is stopping')
      const left = held.filter(each => !lanes.add(each))
      pump()
      if (left.length > 0) await leave(left)
    },
    look(tenantIds) {
      for (const tenantId of tenantIds) call(lanes.laneOf(tenantId))
    },
    async stop() {
      stopping = true
      pump()
      const left = lanes.clear()
      if (left.length > 0) await leave(left)
      // What is under way ends within an attempt's time.
      if (underWay > 0)
        await new Promise<void>(resolve => {
          whenIdle = resolve
        })
      sender.stop()
    },
  }
}
