// Tests reads of webhook deliveries with very many attempts. A tenant can add attempts without limit, because it can
// redeliver an event again and again.

import { beforeAll, expect, test } from 'vitest'
import { insertEvents } from '../../src/webhooks/event.sql.ts'
import { type TestApp, testApp } from '../support/app.ts'
import { asOwner } from '../support/database.ts'
import { type Call, callsAs, refusal } from '../support/management-api.ts'
import { logIn, merchantOf } from '../support/merchant.ts'
import { paidEvent } from '../support/webhook-listener.ts'

const ATTEMPTS = 250

let { app, demo }: TestApp = {} as TestApp
let client: Call
let tenantId: string
let endpointId: string
beforeAll(async () => {
  ;({ app, demo } = await testApp({ worker: false }))
  client = callsAs(demo, await logIn(demo, demo.client))
  const { data: payment } = await merchantOf(demo).create()
  const { rows } = await app.db.raw('select tenant_id from payments where id = ?', [payment.id])
  tenantId = rows[0].tenant_id
  await client('PUT', '/v1/account/webhook', { callback_url: 'http://127.0.0.1:9/hook' })
  const endpoint = { url: 'http://127.0.0.1:9/other', mode: 'test' }
  endpointId = (await client('POST', '/v1/webhook-endpoints', endpoint)).data.id
})

const pathsOf = (eventId: string) => [
  `/v1/webhook-deliveries/${eventId}`,
  `/v1/webhook-endpoints/${endpointId}/deliveries/${eventId}`,
]

/** Inserts a delivered event with ATTEMPTS attempts at each endpoint. Returns the event's id. */
async function deliveredEvent(): Promise<string> {
  const event = { ...paidEvent(tenantId), mode: 'test' as const }
  await app.db.transaction(tx => insertEvents(tx, [event]))
  const values = { tenantId, eventId: event.id, endpointId, attempts: ATTEMPTS }
  await asOwner(app.db, async owner => {
    for (const sql of [
      'delete from webhook_queue where tenant_id = :tenantId and event_id = :eventId',
      `update additional_deliveries set status = 'delivered', next_attempt_at = null, attempt_count = :attempts
       where tenant_id = :tenantId and event_id = :eventId`,
      `insert into webhook_attempts (tenant_id, event_id, number, started_at, duration_ms, response_status, response_body)
       select :tenantId, :eventId, n, now(), 5, 200, repeat(chr(1), 4096) from generate_series(1, :attempts::integer) n`,
      `insert into additional_attempts (tenant_id, event_id, endpoint_id, number, started_at, duration_ms,
         response_status, response_body)
       select :tenantId, :eventId, :endpointId, n, now(), 5, 200, repeat(chr(1), 4096)
       from generate_series(1, :attempts::integer) n`,
    ])
      await owner.raw(sql, values)
  })
  return event.id
}

const numbersIn = ({ attempts }: { attempts: { number: number }[] }) => attempts.map(({ number }) => number)
const newest = (count: number) => Array.from({ length: count }, (_, n) => ATTEMPTS - count + 1 + n)

test('reading one webhook delivery returns only its newest 100 attempts, in the order in which they were made', async () => {
  for (const path of pathsOf(await deliveredEvent())) {
    const { data } = await client('GET', path)
    expect(numbersIn(data)).toEqual(newest(100))
  }
})

test('the response to the redelivery of a webhook contains only its newest ten delivery attempts', async () => {
  for (const path of pathsOf(await deliveredEvent())) {
    const { data } = await client('POST', `${path}/redeliver`)
    expect(data.status).toBe('pending')
    expect(numbersIn(data)).toEqual(newest(10))
  }
})

test('reading a single webhook delivery with a large body counts toward the limits for large reads', async () => {
  // This body alone is larger than the number of response bytes that a tenant may leave unread.
  const id = await deliveredEvent()
  await asOwner(app.db, owner =>
    owner.raw('update webhook_events set body_compressed = null, body = repeat(?, ?) where id = ?', [
      ...['a', 17 * 1024 * 1024],
      id,
    ]),
  )
  for (const path of pathsOf(id))
    expect(refusal(await client('GET', path))).toEqual([
      429,
      'RATE_LIMITED',
      expect.stringContaining('you have not read your previous responses completely'),
    ])
})
