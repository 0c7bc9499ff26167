// Documents each operation's error responses: one per HTTP status, with an example for each error code. Operations
// with the same errors share a response, unless they have their own error examples (examples.ts).

import { type Access, acceptsKey, type Meta } from '../api/trpc.ts'
import { secondFactorMethods } from '../auth/second-factor/challenge.ts'
import { type ErrorCode, errorCodes, kindOf, statusOf } from '../faults/errors.ts'

type Json = Record<string, unknown>
/** An operation's error messages, by error code, without the prefix that names the kind of error. */
export type OwnFailures = Partial<Record<ErrorCode, string[]>>
export type FailingOperation = { operationId: string; path: string; hasInput: boolean; hasCursor: boolean }

const id = '01990000-0000-7000-8000-000000000001'

export const failureSchema: Json = {
  type: 'object',
  description: 'The response body of a failed request, with any status code',
  properties: {
    success: { type: 'boolean', const: false },
    error: {
      type: 'object',
      properties: {
        code: {
          type: 'string',
          enum: errorCodes,
          description: 'Error code for use in programs. New codes may be added',
        },
        message: {
          type: 'string',
          description:
            'Error description for developers, in the form `<kind>: <detail>`. The wording may change, so use `code` in programs',
          example: 'bad request: amount: must be greater than zero',
        },
        challenge: {
          type: 'string',
          description:
            'The challenge to send to `POST /v1/auth/login/otp`. Present only if a login fails with `OTP_REQUIRED`',
        },
        methods: {
          type: 'array',
          items: { type: 'string', enum: secondFactorMethods },
          description:
            'The kinds of second factor the user can finish the login with. Present only if a login fails with `OTP_REQUIRED`',
        },
        expires_in: {
          type: 'integer',
          description:
            'The number of seconds until the challenge expires. Present only if a login fails with `OTP_REQUIRED`',
        },
      },
      required: ['code', 'message'],
    },
  },
  required: ['success', 'error'],
}

/** The rate limit headers in every response to a request with a valid credential. */
export const rateLimitHeaders = {
  'RateLimit-Policy': { $ref: '#/components/headers/RateLimit-Policy' },
  RateLimit: { $ref: '#/components/headers/RateLimit' },
}

/**
 * Returns an operation's error response for each status. The response is specific to the operation, or a
 * reference to a shared response, which is added to `responses`.
 */
export function failuresOf(
  operation: FailingOperation,
  meta: Meta,
  own: OwnFailures,
  responses: Record<string, Json>,
): Record<string, Json> {
  const codes = codesOf(operation, meta)
  const unknown = Object.keys(own).filter(code => !codes.has(code as ErrorCode))
  if (unknown.length > 0) throw new Error(`${operation.operationId} never returns ${unknown.join(', ')}`)
  const statuses = [...new Set([...codes].map(statusOf))].sort()
  return Object.fromEntries(
    statuses.map(status => {
      const ofStatus = errorCodes.filter(code => codes.has(code) && statusOf(code) === status)
      const words = ofStatus.map(code => own[code] ?? usual(code, operation, meta))
      const response = responseOf(ofStatus, words, meta)
      if (ofStatus.some(code => own[code])) return [status, response]
      const name = ofStatus.map(code => nameOf(code, operation, meta)).join('Or')
      responses[name] ??= response
      return [status, { $ref: `#/components/responses/${name}` }]
    }),
  )
}

/**
 * Returns the error codes of an operation: the codes that the operation declares, and the codes that follow from its
 * input and from the credentials that it accepts.
 */
function codesOf({ hasInput }: FailingOperation, meta: Meta): Set<ErrorCode> {
  const codes: ErrorCode[] = [...(meta.errors ?? []), 'RATE_LIMITED', 'INTERNAL_ERROR', 'SERVICE_UNAVAILABLE']
  // Any POST request can fail with BAD_REQUEST, even if the operation has no input, because the body may be malformed
  // JSON.
  if (hasInput || takesBody(meta)) codes.push('BAD_REQUEST')
  if (needsCredential(meta.access)) codes.push('UNAUTHORIZED', 'FORBIDDEN')
  if (meta.stepUp) codes.push('OTP_REQUIRED')
  if (acceptsKey(meta)) codes.push('IDEMPOTENCY_CONFLICT', 'BAD_REQUEST')
  if (takesBody(meta)) codes.push('PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE')
  return new Set(codes)
}

export const needsCredential = (access: Access | undefined): boolean =>
  access !== undefined && access !== 'public'
const takesBody = ({ openapi }: Meta): boolean => !['GET', 'DELETE'].includes(openapi?.method ?? 'GET')

function responseOf(codes: ErrorCode[], words: string[][], meta: Meta): Json {
  const examples = codes.flatMap((code, index) =>
    (words[index] ?? []).map((detail, number) => [
      number === 0 ? code : `${code}_${number + 1}`,
      {
        value: {
          success: false,
          error: { code, message: messageOf(code, detail), ...fieldsOf(code, meta) },
        },
      },
    ]),
  )
  return {
    description: codes.map(code => `\`${code}\`: ${meanings[code]}`).join('. '),
    headers: {
      'X-Request-Id': { $ref: '#/components/headers/X-Request-Id' },
      ...rateLimitHeaders,
      ...((codes.includes('UNAUTHORIZED') || codes.includes('OTP_REQUIRED')) && {
        'WWW-Authenticate': { $ref: '#/components/headers/WWW-Authenticate' },
      }),
      ...(codes.some(code => tellsWhen(code, meta)) && {
        'Retry-After': { $ref: '#/components/headers/Retry-After' },
      }),
    },
    'x-error-codes': codes,
    // All errors have the same schema, so that generated clients have a single error type.
    content: {
      'application/json': {
        schema: { $ref: '#/components/schemas/Failure' },
        examples: Object.fromEntries(examples),
      },
    },
  }
}

/** Returns an error's additional fields. Only `OTP_REQUIRED` during a login has any: the challenge. */
const fieldsOf = (code: ErrorCode, { access }: Meta): Json =>
  code === 'OTP_REQUIRED' && !needsCredential(access)
    ? { challenge: 'gp_challenge_Zm9v', methods: ['totp', 'recovery_code'], expires_in: 300 }
    : {}

const tellsWhen = (code: ErrorCode, { idempotent, ...meta }: Meta): boolean =>
  code === 'RATE_LIMITED' ||
  code === 'SERVICE_UNAVAILABLE' ||
  (acceptsKey(meta) && code === 'IDEMPOTENCY_CONFLICT') ||
  (idempotent === true && (code === 'IDEMPOTENCY_CONFLICT' || code === 'PROVIDER_ERROR'))

/**
 * Returns the error message for an error code and its detail. The API guarantees a special form for two messages:
 * `Invalid JWT token`, and `provider error` followed by the detail without a colon.
 */
function messageOf(code: ErrorCode, detail: string): string {
  if (code === 'UNAUTHORIZED' && detail === 'Invalid JWT token') return detail
  if (code === 'PROVIDER_ERROR') return `provider error ${detail}`
  return `${kindOf(code)}: ${detail}`
}

const meanings: Record<ErrorCode, string> = {
  BAD_REQUEST: 'the request is invalid; `message` names the invalid field',
  OTP_REQUIRED:
    'the login needs a second factor, or the user last confirmed a second factor more than 15 minutes ago',
  UNAUTHORIZED: 'the credential is missing, invalid, or of a type that this operation does not accept',
  FORBIDDEN: "the user's role or permissions do not allow this operation, or the tenant is suspended",
  NOT_FOUND: 'no object with this ID exists, or it belongs to another tenant or mode',
  METHOD_NOT_ALLOWED: 'the path does not support this method',
  IDEMPOTENCY_CONFLICT:
    'if the response has the header `Retry-After`, the first request with this idempotency key is still in progress. Otherwise, the key was already used with a different request body',
  INVALID_STATE_TRANSITION: 'the status of the payment or refund does not allow this operation',
  CONFLICT: "the object's current state does not allow this operation; `message` gives the reason",
  INSUFFICIENT_BALANCE: 'the balance does not cover the amount',
  PAYLOAD_TOO_LARGE: 'the body is larger than 256 KiB, or a settlement file is larger than 64 MiB',
  UNSUPPORTED_MEDIA_TYPE: 'the operation does not accept this content type',
  RATE_LIMITED: 'too many requests; retry after `Retry-After` seconds',
  INTERNAL_ERROR: 'an error in the service; `message` contains the request ID',
  PROVIDER_ERROR:
    'the provider rejected the request, was unreachable or did not respond. If the response has the header `Retry-After`, retry with the same idempotency key',
  SERVICE_UNAVAILABLE:
    'the service is at capacity, is stopping, or cannot reach its database; retry after `Retry-After` seconds',
}

/**
 * Returns example details of an error for operations that declare none of their own. The details mention the
 * credential, the role or the resource in the operation's path.
 */
function usual(code: ErrorCode, operation: FailingOperation, meta: Meta): string[] {
  switch (code) {
    case 'BAD_REQUEST':
      if (takesBody(meta)) return ['body: is not valid JSON']
      return operation.hasCursor ? ['cursor: is invalid; pass next_cursor back unchanged'] : []
    case 'OTP_REQUIRED':
      return [
        'confirm your second factor with POST /v1/account/second-factor/confirm, then repeat the request',
      ]
    case 'UNAUTHORIZED':
      return [
        'the Authorization header is missing; send `ApiKey <key>` or `Bearer <access token>`',
        'the API key is invalid or revoked',
        'Invalid JWT token',
      ]
    case 'FORBIDDEN':
      return meta.roles && meta.roles.length > 0
        ? [`this endpoint is for the role ${meta.roles.join(' or ')}; your role is ${strangerTo(meta.roles)}`]
        : ['this tenant is suspended']
    case 'NOT_FOUND':
      return [`${thingIn(operation.path)} ${idIn(operation.path)} not found`]
    case 'PAYLOAD_TOO_LARGE':
      return ['the body exceeds 256 KiB']
    case 'UNSUPPORTED_MEDIA_TYPE':
      return ['send the body as application/json']
    case 'IDEMPOTENCY_CONFLICT':
      return [
        'this X-Idempotency-Key was used with a different body',
        'the first request with this X-Idempotency-Key is still running; repeat the request later',
      ]
    case 'RATE_LIMITED':
      return ['this key may send 50 requests a second; slow down']
    case 'INTERNAL_ERROR':
      return [id]
    case 'SERVICE_UNAVAILABLE':
      return ['the database cannot be reached; try again']
    default:
      throw new Error(`operation ${operation.operationId} needs an example of the error ${code}`)
  }
}

const strangerTo = (roles: string[]): string => (roles.includes('client') ? 'owner' : 'client')

/**
 * The values for an operation's 404 message, by its last path parameter: the name of the resource and an example
 * ID.
 */
const things: Record<string, [thing: string, id: string]> = {
  payment_id: ['payment', id],
  refund_id: ['refund', '01990000-0000-7000-8000-000000000033'],
  endpoint_id: ['webhook endpoint', '01990000-0000-7000-8000-000000000041'],
  event_id: ['webhook event', '01990000-0000-7000-8000-000000000002'],
  tenant_id: ['tenant', '01990000-0000-7000-8000-000000000010'],
  key_id: ['API key', '01990000-0000-7000-8000-000000000013'],
  passkey_id: ['passkey', '01990000-0000-7000-8000-000000000019'],
  user_id: ['user', '01990000-0000-7000-8000-000000000011'],
  session_id: ['session', '01990000-0000-7000-8000-000000000018'],
  account_id: ['provider account', '01990000-0000-7000-8000-000000000014'],
  callback_id: ['provider callback', '01990000-0000-7000-8000-000000000005'],
  money_id: ['unexpected money record', '01990000-0000-7000-8000-000000000021'],
  difference_id: ['difference', '01990000-0000-7000-8000-000000000031'],
  provider_code: ['provider', 'nobody'],
}

const namedByParent: Record<string, string> = {
  'provider-callbacks': 'callback_id',
  'unexpected-money': 'money_id',
  'reconciliation-differences': 'difference_id',
}

function thingNamedBy(path: string): [thing: string, id: string] {
  const [, parent, name = ''] = [...path.matchAll(/([\w-]+)\/\{(\w+)\}/g)]
    .filter(([, , parameter]) => parameter !== 'date')
    .at(-1) ?? ['', '', '']
  const known = namedByParent[parent ?? ''] ?? name
  const thing = things[known]
  if (!thing) throw new Error(`no example is defined for the last parameter of ${path}`)
  return thing
}
const thingIn = (path: string): string => thingNamedBy(path)[0]
const idIn = (path: string): string => thingNamedBy(path)[1]

const pascal = (words: string): string =>
  words
    .split(/[_\s]+/)
    .map(word => `${word[0]?.toUpperCase()}${word.slice(1).toLowerCase()}`)
    .join('')

/**
 * Returns the name of an error response shared by several operations. Responses with different contents have
 * different names.
 */
function nameOf(code: ErrorCode, { path, hasCursor }: FailingOperation, meta: Meta): string {
  if (code === 'NOT_FOUND') return `${pascal(thingIn(path))}NotFound`
  if (code === 'BAD_REQUEST' && !takesBody(meta)) return hasCursor ? 'BadCursor' : 'BadParameter'
  if (code === 'FORBIDDEN' && meta.roles && meta.roles.length > 0)
    return `For${meta.roles.map(pascal).join('And')}Only`
  return pascal(code)
}
