import { expect, test } from 'vitest'
import { waitingRepeats } from './waiting-repeats.ts'

const refused = { code: 'IDEMPOTENCY_CONFLICT', retryAfterSeconds: expect.any(Number) }
const of = (tenantId: string, idempotencyKey: string) => ({ tenantId, mode: 'test' as const, idempotencyKey })

test('if too many requests wait for the same idempotency key, further requests with this key are rejected, but requests with other keys are not', () => {
  const waits = waitingRepeats({ ofKey: 2, ofTenant: 9, ofAll: 90 })
  const leave = waits.enter(of('a', 'order-1'))
  waits.enter(of('a', 'order-1'))
  expect(() => waits.enter(of('a', 'order-1'))).toThrow(expect.objectContaining(refused))
  waits.enter(of('a', 'order-2'))
  waits.enter(of('b', 'order-1'))
  leave()
  waits.enter(of('a', 'order-1'))
})

test("if too many of a tenant's requests wait for idempotency keys, the tenant's further requests are rejected, but other tenants' requests are not", () => {
  const waits = waitingRepeats({ ofKey: 2, ofTenant: 3, ofAll: 90 })
  const leave = [1, 2, 3].map(n => waits.enter(of('a', `order-${n}`)))
  expect(() => waits.enter(of('a', 'order-4'))).toThrow(expect.objectContaining(refused))
  waits.enter(of('b', 'order-4'))
  for (const each of leave) each()
  for (const n of [4, 4, 5]) waits.enter(of('a', `order-${n}`))
})
