// One attempt to deliver one event. The event's row says whether and when an attempt is due; a job is only
// a call to look at it, so a job too many changes nothing.

import { type Agent, request } from 'undici'
import type { App } from '../app.ts'
import { after } from '../time.ts'
import { openSecrets } from './endpoint-secrets.ts'
import { signedHeaders } from './sign.ts'
import {
  type Attempt,
  type Claim,
  claimEvent,
  findDueEvent,
  recordAttempt,
  requeueEvent,
} from './webhook.sql.ts'

/** For a whole attempt, from the look-up of the name to the last byte of the answer's kept part. */
export const ATTEMPT_TIMEOUT_MS = 10_000
/** From the end of a failed attempt to the beginning of the next. */
export const RETRY_PAUSE_MS = 10_000
/** An attempt that did not end by then died with its worker. */
const LOST_AFTER_MS = ATTEMPT_TIMEOUT_MS + 10_000
const KEPT_RESPONSE_BYTES = 4096
/**
 * One tenant's receiver may hold this many attempts of a process at a time. The rest of its events wait in
 * the table and are taken up one by one as these end, so a dead receiver delays nobody else's.
 */
const ATTEMPTS_PER_TENANT = 16
/** Of one whose receiver did not answer the last time: many of these must not hold all the places there are. */
const ATTEMPTS_PER_SILENT_TENANT = 2

type Deps = Pick<App, 'db' | 'clock' | 'secrets'> & { webhookAgent: Agent }

export function webhookDelivery(app: Deps): (job: { tenantId: string; eventId: string }) => Promise<void> {
  const busy = new Map<string, number>()
  const silent = new Set<string>()
  const placesOf = (tenantId: string) =>
    silent.has(tenantId) ? ATTEMPTS_PER_SILENT_TENANT : ATTEMPTS_PER_TENANT
  /** How often a tenant's events were left in the table since its last look in vain. */
  const parked = new Map<string, number>()

  return async ({ tenantId, eventId }) => {
    const attempts = busy.get(tenantId) ?? 0
    if (attempts >= placesOf(tenantId)) {
      parked.set(tenantId, (parked.get(tenantId) ?? 0) + 1)
      return
    }
    busy.set(tenantId, attempts + 1)
    try {
      let next: string | undefined = eventId
      while (next !== undefined) {
        const answered = await deliverWebhook(app, tenantId, next)
        if (answered === false) silent.add(tenantId)
        else if (answered) silent.delete(tenantId)
        // Its places shrank: what it leaves is in the table, and a place that it keeps takes it up.
        if ((busy.get(tenantId) ?? 0) > placesOf(tenantId)) break
        // Each attempt that ends looks, as long as the mark is set; only a look in vain takes it away, unless
        // somebody parked during that look.
        const parks = parked.get(tenantId)
        next = parks === undefined ? undefined : await findDueEvent(app.db, tenantId, app.clock())
        if (next === undefined && parked.get(tenantId) === parks) parked.delete(tenantId)
      }
    } finally {
      const left = (busy.get(tenantId) ?? 1) - 1
      if (left === 0) busy.delete(tenantId)
      else busy.set(tenantId, left)
    }
  }
}

/** Whether the receiver answered; undefined where there was no attempt. */
async function deliverWebhook(app: Deps, tenantId: string, eventId: string): Promise<boolean | undefined> {
  const startedAt = app.clock()
  const claim = await claimEvent(app.db, tenantId, eventId, startedAt, after(startedAt, LOST_AFTER_MS))
  if (!claim) {
    await requeueEvent(app.db, tenantId, eventId)
    return undefined
  }
  const answer = await send(app, tenantId, claim)
  const endedAt = app.clock()
  const attempt: Attempt = {
    number: claim.attemptCount + 1,
    startedAt,
    durationMs: endedAt.getTime() - startedAt.getTime(),
    ...answer,
  }
  const delivered =
    answer.responseStatus !== null &&
    answer.responseStatus >= 200 &&
    answer.responseStatus < 300 &&
    answer.error === null
  await recordAttempt(app.db, { tenantId, eventId }, attempt, delivered, after(endedAt, RETRY_PAUSE_MS))
  return answer.responseStatus !== null
}

type Answer = Pick<Attempt, 'responseStatus' | 'responseBody' | 'error'>

async function send(app: Deps, tenantId: string, claim: Claim): Promise<Answer> {
  if (claim.callbackUrl === null)
    return { responseStatus: null, responseBody: null, error: 'no callback URL is configured' }
  const secrets = await openSecrets(app.secrets, tenantId, claim, app.clock())
  let responseStatus: number | null = null
  try {
    const response = await request(claim.callbackUrl, {
      method: 'POST',
      headers: { ...signedHeaders(claim, secrets, app.clock()), 'user-agent': 'Gapura-Webhooks/1' },
      body: claim.body,
      dispatcher: app.webhookAgent,
      signal: AbortSignal.timeout(ATTEMPT_TIMEOUT_MS),
    })
    responseStatus = response.statusCode
    return { responseStatus, responseBody: await firstBytes(response.body), error: null }
  } catch (error) {
    return { responseStatus, responseBody: null, error: faultOf(error as Error) }
  }
}

/** The answer counts by its status; of a long body only the beginning is read. */
async function firstBytes(body: AsyncIterable<Buffer> & { destroy(): unknown }): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of body) {
    chunks.push(chunk)
    size += chunk.length
    if (size >= KEPT_RESPONSE_BYTES) {
      body.destroy()
      break
    }
  }
  // NUL is no text to PostgreSQL.
  return Buffer.concat(chunks).subarray(0, KEPT_RESPONSE_BYTES).toString('utf8').replaceAll('\0', '\ufffd')
}

function faultOf(error: Error & { code?: string }): string {
  if (error.name === 'TimeoutError') return `no answer within ${ATTEMPT_TIMEOUT_MS / 1000} s`
  return (error.code ? `${error.code}: ${error.message}` : error.message).slice(0, 500)
}
