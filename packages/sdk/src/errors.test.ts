import { readFileSync } from 'node:fs'
import { expect, expectTypeOf, test } from 'vitest'
import { aPayment, failure, service } from '../test/service.ts'
import * as sdk from './index.ts'

async function errorOf(answer: Parameters<typeof service>[0]): Promise<sdk.GapuraError> {
  const { baseUrl } = await service(answer)
  const gapura = new sdk.Gapura({ apiKey: 'gp_test_key', baseUrl, maxRetries: 0 })
  return gapura.account.getBalance().then(
    () => expect.unreachable(),
    error => error,
  )
}

const classes = [
  [400, 'BAD_REQUEST', sdk.BadRequestError],
  [401, 'OTP_REQUIRED', sdk.OtpRequiredError],
  [401, 'UNAUTHORIZED', sdk.UnauthorizedError],
  [403, 'FORBIDDEN', sdk.ForbiddenError],
  [404, 'NOT_FOUND', sdk.NotFoundError],
  [405, 'METHOD_NOT_ALLOWED', sdk.MethodNotAllowedError],
  [409, 'IDEMPOTENCY_CONFLICT', sdk.IdempotencyConflictError],
  [409, 'INVALID_STATE_TRANSITION', sdk.InvalidStateTransitionError],
  [409, 'CONFLICT', sdk.ConflictError],
  [409, 'INSUFFICIENT_BALANCE', sdk.InsufficientBalanceError],
  [413, 'PAYLOAD_TOO_LARGE', sdk.PayloadTooLargeError],
  [415, 'UNSUPPORTED_MEDIA_TYPE', sdk.UnsupportedMediaTypeError],
  [429, 'RATE_LIMITED', sdk.RateLimitedError],
  [500, 'INTERNAL_ERROR', sdk.InternalError],
  [502, 'PROVIDER_ERROR', sdk.ProviderError],
  [503, 'SERVICE_UNAVAILABLE', sdk.ServiceUnavailableError],
] as const

test('every error code in the API document has an error class', () => {
  const document = JSON.parse(readFileSync(new URL('../../../openapi/openapi.json', import.meta.url), 'utf8'))
  const codes: string[] = document.components.schemas.ErrorCode.enum
  expect(classes.map(([, code]) => code).sort()).toEqual([...codes].sort())
  expect(new Set(classes.map(([, , Class]) => Class)).size).toBe(codes.length)
})

test.each(classes)(
  'a response with status %i and code %s becomes an error of the class for this code',
  async (status, code, Class) => {
    const error = await errorOf(failure(status, code, `${code}: detail`))
    expect(error).toBeInstanceOf(Class)
    expect(error).toBeInstanceOf(sdk.GapuraError)
    expect(error.name).toBe(Class.name)
    expect(error).toMatchObject({ status, code, message: `${code}: detail`, requestId: 'req-1' })
  },
)

test("TypeScript infers the code of an SDK error from the error's class, and the class from the code", () => {
  for (const [, code, Class] of classes) {
    expectTypeOf<typeof code>().toEqualTypeOf<typeof Class.prototype.code>()
  }
  expectTypeOf<sdk.RateLimitedError['code']>().toEqualTypeOf<'RATE_LIMITED'>()
  const channelOf = (error: sdk.ProviderError | sdk.PaymentNotPaidError) =>
    error.code === 'PAYMENT_NOT_PAID' ? error.payment.method_type : error.status
  expectTypeOf(channelOf).returns.toEqualTypeOf<sdk.MethodType | number | undefined>()
  // @ts-expect-error: the code of a ProviderError is always PROVIDER_ERROR
  const limited = (error: sdk.ProviderError) => error.code === 'RATE_LIMITED'
  expect(limited(new sdk.ProviderError('PROVIDER_ERROR', 'provider error [midtrans]: no'))).toBe(false)
})

test('a response with an unknown error code is thrown as a GapuraError with the unknown code', async () => {
  for (const code of ['TEAPOT', 'constructor', '__proto__']) {
    const error = await errorOf(failure(418, code, 'short and stout'))
    expect(error.name).toBe('GapuraError')
    expect(error.code).toBe(code)
  }
})

test.each([
  ['bad request: amount: must be greater than zero', 'amount'],
  ['bad request: items.0.price: must be at least 0', 'items.0.price'],
  ['bad request: X-Idempotency-Key: is needed', 'X-Idempotency-Key'],
  ['bad request: malformed JSON', undefined],
  ['bad request: the body is wrong: no object', undefined],
  ['not found: payment: 1', undefined],
])('the SDK error for the message "%s" has the field %s', async (message, field) => {
  expect((await errorOf(failure(400, 'BAD_REQUEST', message))).field).toBe(field)
})

test.each([
  ['an HTML page', 502, '<h1>Bad Gateway</h1>', 'text/html'],
  ['an HTML page with 200', 200, '<h1>Welcome</h1>', 'text/html'],
  ['incomplete JSON', 200, '{"success":', 'application/json'],
  ['JSON of another service', 200, '{"status":"ok"}', 'application/json'],
  ['null', 200, 'null', 'application/json'],
  ['an empty body', 200, '', 'application/json'],
  ['an empty body with 404', 404, '', 'text/plain'],
  [
    'an error with 200',
    200,
    '{"success":false,"error":{"code":"NOT_FOUND","message":"x"}}',
    'application/json',
  ],
  ['an error without a code', 400, '{"success":false,"error":{"message":"no"}}', 'application/json'],
])(
  'if the response to an SDK call is %s, the call throws an UnexpectedResponseError',
  async (_, status, body, type) => {
    const error = await errorOf(response => response.writeHead(status, { 'content-type': type }).end(body))
    expect(error).toBeInstanceOf(sdk.UnexpectedResponseError)
    expect(error).toMatchObject({ status, code: 'UNEXPECTED_RESPONSE' })
  },
)

test("an error's JSON contains its message and request ID, but no credential or customer data", async () => {
  const error = await errorOf(failure(400, 'BAD_REQUEST', 'bad request: mode: must be live or test'))
  expect(JSON.parse(JSON.stringify(error))).toEqual({
    name: 'BadRequestError',
    message: 'bad request: mode: must be live or test',
    code: 'BAD_REQUEST',
    status: 400,
    requestId: 'req-1',
    field: 'mode',
    outcomeUnknown: false,
    attempts: 1,
  })
  const notPaid = new sdk.PaymentNotPaidError({ ...aPayment, status: 'expired' })
  expect(JSON.stringify(notPaid)).not.toContain(aPayment.customer_name)
})
