import { expect, test } from 'vitest'
import { errorCodes, kindOf, statusOf } from './errors.ts'

// The expected errors, copied by hand from the API specification and the decisions about it.
const told: Record<string, [number, string]> = {
  BAD_REQUEST: [400, 'bad request'],
  OTP_REQUIRED: [401, 'second factor required'],
  UNAUTHORIZED: [401, 'unauthorized'],
  FORBIDDEN: [403, 'forbidden'],
  NOT_FOUND: [404, 'not found'],
  METHOD_NOT_ALLOWED: [405, 'method not allowed'],
  IDEMPOTENCY_CONFLICT: [409, 'idempotency conflict'],
  INVALID_STATE_TRANSITION: [409, 'invalid state transition'],
  CONFLICT: [409, 'conflict'],
  INSUFFICIENT_BALANCE: [409, 'insufficient balance'],
  PAYLOAD_TOO_LARGE: [413, 'payload too large'],
  UNSUPPORTED_MEDIA_TYPE: [415, 'unsupported media type'],
  RATE_LIMITED: [429, 'rate limited'],
  INTERNAL_ERROR: [500, 'internal error'],
  PROVIDER_ERROR: [502, 'provider error'],
  SERVICE_UNAVAILABLE: [503, 'service unavailable'],
}

test('each error code has the HTTP status and message stated in the API specification', () => {
  expect(Object.fromEntries(errorCodes.map(code => [code, [statusOf(code), kindOf(code)]]))).toEqual(told)
})
