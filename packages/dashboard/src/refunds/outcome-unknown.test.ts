import { TRPCClientError } from '@trpc/client'
import { expect, test } from 'vitest'
import { isOutcomeUnknown } from './outcome-unknown.ts'

const failure = (errorCode: string, fault: string) =>
  TRPCClientError.from({ error: { message: fault, code: -32600, data: { errorCode, fault } } })

test.each([
  ['no response was received', TRPCClientError.from(new TypeError('Failed to fetch'))],
  ['the service is unavailable', failure('SERVICE_UNAVAILABLE', 'server_at_capacity')],
  ['the service has an unexpected fault', failure('INTERNAL_ERROR', 'unexpected')],
  ['the first request is still running', failure('IDEMPOTENCY_CONFLICT', 'idempotency_key_in_progress')],
])('the outcome of a refund request counts as unknown if %s', (_, error) => {
  expect(isOutcomeUnknown(error)).toBe(true)
})

test.each([
  ['BAD_REQUEST', 'refund_exceeds_left'],
  ['BAD_REQUEST', 'refund_full_only'],
  ['BAD_REQUEST', 'refunds_too_many'],
  ['INSUFFICIENT_BALANCE', 'balance_too_low'],
  ['IDEMPOTENCY_CONFLICT', 'idempotency_key_reused'],
])(
  'if the service rejects a refund request with the error code %s and the fault %s, the outcome of the request counts as known',
  (code, id) => {
    expect(isOutcomeUnknown(failure(code, id))).toBe(false)
  },
)
