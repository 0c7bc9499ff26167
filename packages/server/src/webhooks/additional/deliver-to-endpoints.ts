// Delivers events to additional endpoints (docs/webhook-delivery.md). A delivery waits in the database until
// the process has a free slot (endpoint-slots.ts).

import { setTimeout as pause } from 'node:timers/promises'
import type { Agent } from 'undici'
import { batchQueue } from '../../db/batch/batch-queue.ts'
import { isDatabaseUnavailable } from '../../db/database-errors.ts'
import type { Db } from '../../db/db.ts'
import { groupsByShard } from '../../db/distributed-database.ts'
import type { Logger } from '../../logging/log.ts'
import type { Secrets } from '../../secrets/secrets.ts'
import type { Clock } from '../../values/time.ts'
import { ATTEMPT_TIMEOUT_MS, leaseExpiryFrom } from '../delivery/lease.ts'
import { observeAttempt } from '../delivery/observe-attempt.ts'
import { webhookSender } from '../delivery/send-webhook.ts'
import { signedHeaders, storedSignature } from '../delivery/sign.ts'
import { withBody } from '../stored-body.ts'
import { additionalSigningSecrets } from './additional-endpoint-secrets.ts'
import {
  type ClaimedDelivery,
  claimDeliveries,
  dropDeliveries,
  type EndedDeliveryAttempt,
  type EndpointKey,
  recordDeliveryAttempts,
} from './claim-deliveries.sql.ts'
import { type EndpointClaim, type EndpointState, endpointSlots } from './endpoint-slots.ts'
import { pauseAfter } from './retry-schedule.ts'

const ATTEMPTS_PER_RECORD = 500
/**
 * The result of a webhook delivery attempt waits for this number of milliseconds before it is recorded, so that several
 * results can be recorded together.
 */
const RECORD_DELAY_MS = 10

type Deps = { db: Db; clock: Clock; log: Logger; secrets: Secrets; webhookAgent: Agent }
type Ended = { state: EndpointState; attempt: EndedDeliveryAttempt }

export type EndpointDelivery = {
  /**
   * Leases the webhook deliveries to these endpoints that are due for an attempt, and sends them. Call this function
   * when the endpoints may have due deliveries.
   */
  claimDue(endpoints: EndpointKey[]): void
  /** Stops claiming webhook deliveries, then waits for the delivery attempts in flight. */
  stop(): Promise<void>
}

export function endpointDelivery(app: Deps): EndpointDelivery {
  const slots = endpointSlots(app.clock)
  const sender = webhookSender(app.webhookAgent, ATTEMPT_TIMEOUT_MS, app.log)
  const record = batchQueue(recordBatch, { name: 'record_endpoint_attempts', batchSize: ATTEMPTS_PER_RECORD })
  /**
   * The number of webhook delivery attempts in flight. A running query that claims due deliveries counts as
   * one more, because the process is not idle before the query ends.
   */
  let inProgress = 0
  let whenIdle: (() => void) | undefined
  let isClaiming = false
  let isStopping = false

  function endWork(count: number): void {
    inProgress -= count
    if (inProgress === 0) whenIdle?.()
  }

  /** Claims due webhook deliveries while there are free slots. At most one claim query runs at a time. */
  async function claimWhileRoom(): Promise<void> {
    if (isClaiming) return
    isClaiming = true
    inProgress++
    while (!isStopping) {
      const claims = slots.nextClaims()
      if (claims.length === 0) break
      // On a distributed database, each shard's deliveries are claimed separately, so that an error on one shard does not
      // lose the deliveries that were claimed on another.
      for (const group of groupsByShard(app.db, claims, each => each.tenantId)) await claim(group)
    }
    isClaiming = false
    endWork(1)
  }

  async function claim(claims: EndpointClaim[]): Promise<void> {
    let claimed: ClaimedDelivery[] = []
    try {
      if (!isStopping)
        claimed = await claimDeliveries(app.db, claims, app.clock(), leaseExpiryFrom(app.clock()))
    } catch (error) {
      // The deliveries of each endpoint are now claimed separately, so that a damaged row affects only the endpoints
      // that its event is sent to.
      if (claims.length > 1 && !isDatabaseUnavailable(error)) {
        for (const each of claims) await claim([each])
        return
      }
      const endpoints = claims.map(({ tenantId, endpointId }) => ({ tenantId, endpointId }))
      app.log.warn(
        { err: error, endpoints },
        'due webhook deliveries could not be claimed; the periodic sweep will retry',
      )
    }
    const byEndpoint = Map.groupBy(claimed, each => each.endpointId)
    for (const each of claims) {
      const deliveries = byEndpoint.get(each.endpointId) ?? []
      slots.endClaim(each, deliveries.length)
      inProgress += deliveries.length
      for (const delivery of deliveries) void deliver(each.state, delivery)
    }
  }

  /** Makes one webhook delivery attempt. The delivery occupies a slot until the attempt is recorded. */
  async function deliver(state: EndpointState, delivery: ClaimedDelivery): Promise<void> {
    const { tenantId, endpointId, eventId } = delivery
    try {
      if (delivery.found) return await send(state, delivery, delivery.found)
      slots.endpointDeleted(state)
      await dropDeliveries(app.db, [delivery])
    } catch (error) {
      const ids = { tenantId, endpointId, eventId }
      app.log.warn(
        { err: error, ...ids },
        'webhook was not attempted; the next attempt follows when its lease expires',
      )
    }
    endAttempts([{ state }])
  }

  async function send(
    state: EndpointState,
    delivery: ClaimedDelivery,
    { type, paymentId, endpoint, ...stored }: NonNullable<ClaimedDelivery['found']>,
  ): Promise<void> {
    const { tenantId, endpointId, eventId, expiresAt, attemptCount, isRedelivery } = delivery
    const startedAt = app.clock()
    const keys = await additionalSigningSecrets(app.secrets, { id: endpointId, ...endpoint }, startedAt)
    const body = Buffer.from(withBody(stored).body)
    const headers = signedHeaders({ id: eventId, type, body }, keys, startedAt)
    headers['user-agent'] = 'Gapura-Webhooks/1'
    const event = { id: eventId, tenantId, paymentId, type, isFirst: attemptCount === 0 }
    const observeEnd = observeAttempt(event, endpoint.url, startedAt)
    sender.send({ tenantId, url: endpoint.url, headers, body }, ({ class: attemptClass, ...result }) => {
      observeEnd(attemptClass)
      const attempt = {
        ...{ ...result, tenantId, endpointId, eventId, expiresAt, startedAt },
        durationMs: app.clock().getTime() - startedAt.getTime(),
        signature: storedSignature(headers),
        pauseMs: isRedelivery ? null : pauseAfter(endpoint.schedule, attemptCount + 1),
      }
      record({ state, attempt })
    })
  }

  async function recordBatch(ended: Ended[]): Promise<void> {
    // Waits before the attempts are recorded. Webhook attempts that end during this delay are recorded
    // together in the next batch.
    await pause(RECORD_DELAY_MS)
    for (const attempts of withoutRepeats(ended.map(each => each.attempt))) await recordAll(attempts)
    endAttempts(ended)
  }

  /**
   * Records webhook delivery attempts. If an attempt cannot be recorded, the delivery is sent again when its lease
   * expires.
   */
  async function recordAll(attempts: EndedDeliveryAttempt[]): Promise<void> {
    try {
      await recordDeliveryAttempts(app.db, attempts)
    } catch (error) {
      // Records each attempt in the failed batch separately, so that one invalid attempt does not affect the
      // others.
      if (attempts.length > 1 && !isDatabaseUnavailable(error))
        for (const each of attempts) await recordAll([each])
      else app.log.warn({ err: error }, 'webhook attempts were not recorded; they will be repeated')
    }
  }

  function endAttempts(ended: { state: EndpointState; attempt?: EndedDeliveryAttempt }[]): void {
    for (const { state, attempt } of ended) slots.endAttempt(state, attempt && attempt.error === null)
    endWork(ended.length)
    void claimWhileRoom()
  }

  return {
    claimDue(endpoints) {
      if (isStopping) return
      for (const endpoint of endpoints) slots.markDue(endpoint)
      void claimWhileRoom()
    },
    async stop() {
      isStopping = true
      // Waits for the webhook delivery attempts in flight, which end within ATTEMPT_TIMEOUT_MS.
      if (inProgress > 0)
        await new Promise<void>(resolve => {
          whenIdle = resolve
        })
      sender.stop()
    },
  }
}

/**
 * Splits attempts into lists that contain at most one attempt for each delivery, because one SQL statement can change
 * each row only once. A delivery can have two attempts at the same time if the lease of the first attempt expired.
 */
function withoutRepeats(attempts: EndedDeliveryAttempt[]): EndedDeliveryAttempt[][] {
  const counts = new Map<string, number>()
  const lists = Map.groupBy(attempts, ({ endpointId, eventId }) => {
    const delivery = `${endpointId} ${eventId}`
    const number = (counts.get(delivery) ?? 0) + 1
    counts.set(delivery, number)
    return number
  })
  return [...lists.values()]
}
