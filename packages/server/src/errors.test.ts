import { expect, test } from 'vitest'
import {
  errorCodes,
  GatewayError,
  invalidJwt,
  kindOf,
  paymentNotFound,
  providerError,
  statusOf,
} from './errors.ts'

// Copied by hand from the interface specification and its decisions.
const told: Record<string, [number, string]> = {
  BAD_REQUEST: [400, 'bad request'],
  UNAUTHORIZED: [401, 'unauthorized'],
  FORBIDDEN: [403, 'forbidden'],
  NOT_FOUND: [404, 'not found'],
  METHOD_NOT_ALLOWED: [405, 'method not allowed'],
  IDEMPOTENCY_CONFLICT: [409, 'idempotency conflict'],
  INVALID_STATE_TRANSITION: [409, 'invalid state transition'],
  CONFLICT: [409, 'conflict'],
  PAYLOAD_TOO_LARGE: [413, 'payload too large'],
  UNSUPPORTED_MEDIA_TYPE: [415, 'unsupported media type'],
  RATE_LIMITED: [429, 'rate limited'],
  INTERNAL_ERROR: [500, 'internal error'],
  PROVIDER_ERROR: [502, 'provider error'],
  SERVICE_UNAVAILABLE: [503, 'service unavailable'],
}

test('each code has the HTTP status and the message of the interface', () => {
  expect(Object.fromEntries(errorCodes.map(code => [code, [statusOf(code), kindOf(code)]]))).toEqual(told)
})

test('an error contains its kind and what went wrong', () => {
  for (const code of errorCodes) {
    const error = new GatewayError(code, 'this')
    expect([error.status, error.message]).toEqual([told[code]?.[0], `${told[code]?.[1]}: this`])
  }
})

test('an error keeps its cause and its retry delay', () => {
  const cause = new Error('connection refused')
  const error = new GatewayError('SERVICE_UNAVAILABLE', 'try again', { retryAfterSeconds: 2, cause })
  expect(error).toMatchObject({ name: 'GatewayError', cause, retryAfterSeconds: 2 })
  expect(new GatewayError('CONFLICT', 'x').retryAfterSeconds).toBeUndefined()
})

test('messages that the interface fixes match it exactly', () => {
  expect(invalidJwt()).toMatchObject({ status: 401, message: 'Invalid JWT token' })
  expect(paymentNotFound('p-1')).toMatchObject({ status: 404, message: 'not found: payment p-1 not found' })
  expect(providerError('midtrans', 'no such bank')).toMatchObject({
    status: 502,
    message: 'provider error [midtrans]: no such bank',
  })
})
