import { expect, test } from 'vitest'
import { waitingRepeats } from './waiting-repeats.ts'

const ownLimit = (fault: string, most: number) =>
  expect.objectContaining({ code: 'RATE_LIMITED', fault, params: { most }, retryAfterSeconds: 2 })
const atCapacity = expect.objectContaining({
  code: 'SERVICE_UNAVAILABLE',
  fault: 'repeats_at_capacity',
  retryAfterSeconds: 2,
})
const of = (tenantId: string, idempotencyKey: string) => ({ tenantId, mode: 'test' as const, idempotencyKey })

test('if too many requests wait for one idempotency key, only further requests with this key get 429', () => {
  const waits = waitingRepeats({ ofKey: 2, ofTenant: 9, ofAll: 90 })
  const leave = waits.enter(of('a', 'order-1'))
  waits.enter(of('a', 'order-1'))
  expect(() => waits.enter(of('a', 'order-1'))).toThrow(ownLimit('key_repeats_at_capacity', 2))
  waits.enter(of('a', 'order-2'))
  waits.enter(of('b', 'order-1'))
  leave()
  waits.enter(of('a', 'order-1'))
})

test("if too many of a tenant's requests wait for idempotency keys, only its further requests get 429", () => {
  const waits = waitingRepeats({ ofKey: 2, ofTenant: 3, ofAll: 90 })
  const leave = [1, 2, 3].map(n => waits.enter(of('a', `order-${n}`)))
  expect(() => waits.enter(of('a', 'order-4'))).toThrow(ownLimit('own_repeats_at_capacity', 3))
  waits.enter(of('b', 'order-4'))
  for (const each of leave) each()
  for (const n of [4, 4, 5]) waits.enter(of('a', `order-${n}`))
})

test('if too many requests of all tenants wait for idempotency keys, further requests get 503', () => {
  const waits = waitingRepeats({ ofKey: 2, ofTenant: 2, ofAll: 4 })
  const leave = ['a', 'b', 'c', 'd'].map(tenantId => waits.enter(of(tenantId, 'order-1')))
  expect(() => waits.enter(of('e', 'order-1'))).toThrow(atCapacity)
  expect(() => waits.enter(of('a', 'order-1'))).toThrow(atCapacity)
  for (const each of leave) each()
  for (const tenantId of ['e', 'a']) waits.enter(of(tenantId, 'order-1'))
})

test('by default, 32 requests can wait for one idempotency key, and the next one gets an error', () => {
  const waits = waitingRepeats()
  for (let n = 0; n < 32; n++) waits.enter(of('a', 'order-1'))
  expect(() => waits.enter(of('a', 'order-1'))).toThrow(
    'rate limited: at most 32 requests can wait for the first request with this X-Idempotency-Key; it is safe to retry with the same key',
  )
})
