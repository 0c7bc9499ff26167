import { expect, test } from 'vitest'
import { refundNamed } from './refund-named.ts'

test("a payment's history finds a refund by the service's reference or the provider's ID", () => {
  const first = { provider_refund_id: null }
  const second = { provider_refund_id: 'rfd-9' }
  const refunds = [first, second]
  expect(refundNamed('GP261120-7Q4M2ZK8XW-R1', refunds)).toBe(first)
  expect(refundNamed('rfd-9', refunds)).toBe(second)
  expect(refundNamed('GP261120-7Q4M2ZK8XW-R3', refunds)).toBeUndefined()
  expect(refundNamed('another', refunds)).toBeUndefined()
})
