import { expect, test } from 'vitest'
import { newHome } from '../test/gapura.ts'
import { ok, service } from '../test/service.ts'

test("gapura webhooks deliveries get prints no control characters of the webhook's body or of the receiver's response", async () => {
  const attempt = {
    ...{ number: 1, started_at: '2026-11-20T03:09:12.000Z', duration_ms: 38, response_status: 200 },
    ...{ response_headers: { server: 'shop\u009b2J' }, response_body: '\u009b2Jok', error: null },
    sent_signatures: null,
  }
  const { baseUrl } = await service(() =>
    ok({
      ...{ id: 'event-1', type: 'payment.paid', payment_id: null, payment_code: null, mode: 'test' },
      ...{ status: 'delivered', next_attempt_at: null, created_at: '2026-11-20T03:09:12.000Z' },
      ...{ attempts: [attempt], body: '{"customer_name":"Budi\u009b2J"}' },
    }),
  )
  const { stdout } = await newHome().gapura(['webhooks', 'deliveries', 'get', 'event-1'], {
    env: { GAPURA_ACCESS_TOKEN: 'token', GAPURA_BASE_URL: baseUrl },
  })
  expect(stdout).toContain('  {"customer_name":"Budi"}\n')
  expect(stdout).toContain('  server: shop\n')
  expect(stdout.replaceAll('\n', '')).not.toMatch(/\p{Cc}/u)
})

test('the result of an attempt whose response was incomplete contains the reason why it failed', async () => {
  const attempt = {
    ...{ number: 1, started_at: '2026-11-20T03:09:12.000Z', duration_ms: 10_004, response_status: 200 },
    ...{ response_headers: {}, response_body: 'half', error: 'the response did not end within 10 s' },
    sent_signatures: null,
  }
  const { baseUrl } = await service(() =>
    ok({
      ...{ id: 'event-1', type: 'payment.paid', payment_id: null, payment_code: null, mode: 'test' },
      ...{ status: 'permanently_failed', next_attempt_at: null, created_at: '2026-11-20T03:09:12.000Z' },
      ...{ attempts: [attempt], body: '{}' },
    }),
  )
  const { stdout } = await newHome().gapura(['webhooks', 'deliveries', 'get', 'event-1'], {
    env: { GAPURA_ACCESS_TOKEN: 'token', GAPURA_BASE_URL: baseUrl },
  })
  expect(stdout).toContain('HTTP 200 in 10004 ms: the response did not end within 10 s')
})
