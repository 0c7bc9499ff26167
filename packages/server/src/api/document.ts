// The OpenAPI document: generated from the procedures by trpc-to-openapi, then told by their metadata what
// that generator does not know: our envelope, which errors each operation answers with, which credential it
// takes, and names for the bodies. Pure.

import { generateOpenApiDocument, type OpenAPIObject } from 'trpc-to-openapi'
import type { z } from 'zod'
import { createSchema } from 'zod-openapi'
import { type ErrorCode, errorCodes, kindOf, statusOf } from '../errors.ts'
import { examples } from './examples.ts'
import type { appRouter } from './router.ts'
import type { Access, Meta } from './trpc.ts'

type Schema = Record<string, unknown>
type Response = {
  description: string
  headers?: object
  content?: Record<string, { schema: Schema; example?: unknown }>
}
type Operation = {
  operationId: string
  parameters?: object[]
  requestBody?: { required?: boolean; content: Record<string, { schema: Schema; examples?: object }> }
  responses: Record<string, Response>
  security?: object[]
}

export function openApiDocument(router: typeof appRouter, metas: Meta[], version: string): OpenAPIObject {
  const document = generateOpenApiDocument(router, {
    title: 'Gapura API',
    version,
    baseUrl: '/',
    description:
      'One endpoint for Indonesian payment methods. Amounts are integer cents: 1 rupiah = 100 cents. Every answer is `{ success: true, data }` or `{ success: false, error: { code, message } }` and carries `X-Request-Id`.',
    tags: tags.map(({ name }) => name),
    securitySchemes: {
      ApiKey: {
        type: 'apiKey',
        in: 'header',
        name: 'Authorization',
        description:
          'The payment flow: `Authorization: ApiKey <key>`. A `gp_live_` key moves real money, a `gp_test_` key none.',
      },
      AccessToken: {
        type: 'http',
        scheme: 'bearer',
        bearerFormat: 'JWT',
        description: 'The dashboard: an access token from POST /v1/auth/login.',
      },
    },
  })
  document.openapi = '3.1.0'
  document.info.license = { name: 'Apache-2.0', identifier: 'Apache-2.0' }
  document.tags = tags
  const schemas: Record<string, Schema> = {
    ...((document.components?.schemas ?? {}) as Record<string, Schema>),
    Failure: failureSchema,
  }
  for (const meta of metas) {
    const { path, method } = meta.openapi ?? {}
    const operation = (document.paths?.[path ?? ''] as Record<string, unknown>)?.[
      (method ?? '').toLowerCase()
    ] as Operation
    describe(operation, meta, schemas)
  }
  // The generator's own error body is replaced by ours.
  for (const name of Object.keys(schemas)) if (name.startsWith('error.')) delete schemas[name]
  document.components = { ...document.components, schemas: schemas as never }
  return withoutNoise(document) as OpenAPIObject
}

const tags = [
  { name: 'Payments', description: 'Create payments and follow them.' },
  { name: 'Account', description: "The calling tenant's own account." },
  { name: 'Webhooks', description: 'Where events go, and how their delivery went.' },
  { name: 'Authentication', description: 'Tokens for users of the dashboard.' },
  { name: 'Management', description: 'Tenants, keys, users, providers and routing, for Owner and Partner.' },
  { name: 'Reports', description: 'Figures over payments, and what does not agree.' },
]

const failureSchema: Schema = {
  type: 'object',
  description: 'Every failure, whatever its status',
  properties: {
    success: { type: 'boolean', const: false },
    error: {
      type: 'object',
      properties: {
        code: { type: 'string', enum: errorCodes },
        message: { type: 'string', description: '`<kind>: <detail>`' },
      },
      required: ['code', 'message'],
      additionalProperties: false,
    },
  },
  required: ['success', 'error'],
  additionalProperties: false,
}

const securityOf: Record<Access, object[]> = {
  public: [],
  api_key: [{ ApiKey: [] }],
  user: [{ AccessToken: [] }],
  tenant: [{ ApiKey: [] }, { AccessToken: [] }],
}

function describe(operation: Operation, meta: Meta, schemas: Record<string, Schema>): void {
  const access = meta.access ?? 'public'
  const example = examples[operation.operationId]
  operation.security = securityOf[access]
  if (meta.idempotent) operation.parameters = [idempotencyParameter, ...(operation.parameters ?? [])]
  if (meta.upload)
    operation.requestBody = {
      required: true,
      content: { [meta.upload.type]: { schema: { type: 'string', format: 'binary' } } },
    }
  else if (operation.requestBody) nameBody(operation, meta, schemas, example?.request)
  const data = operation.responses['200']?.content?.['application/json']?.schema ?? {}
  operation.responses = {
    '200': {
      description: 'Done',
      headers: { ...requestIdHeader, ...(meta.idempotent && replayedHeader) },
      content: {
        'application/json': {
          schema: {
            type: 'object',
            properties: { success: { type: 'boolean', const: true }, data },
            required: ['success', 'data'],
            additionalProperties: false,
          },
          ...(example && { example: { success: true, data: example.response } }),
        },
        ...((meta.csv || meta.lines) && { 'text/csv': { schema: { type: 'string' } } }),
        ...(meta.lines && { 'application/x-ndjson': { schema: named(meta.lines.schema, schemas) } }),
      },
    },
    ...failures(codesOf(access, meta)),
  }
}

function nameBody(
  operation: Operation,
  meta: Meta,
  schemas: Record<string, Schema>,
  requests?: Record<string, object>,
): void {
  const content = operation.requestBody?.content['application/json']
  if (!operation.requestBody || !content) return
  operation.requestBody.required = true
  if (meta.body) content.schema = named(meta.body, schemas, 'input')
  else {
    const name = `${operation.operationId[0]?.toUpperCase()}${operation.operationId.slice(1)}Body`
    schemas[name] = content.schema
    content.schema = { $ref: `#/components/schemas/${name}` }
  }
  if (requests)
    content.examples = Object.fromEntries(Object.entries(requests).map(([name, value]) => [name, { value }]))
}

/** A schema that the generator does not see; it is a component by the name that it has. */
function named(type: z.ZodType, schemas: Record<string, Schema>, io: 'input' | 'output' = 'output'): Schema {
  const { schema, components } = createSchema(type, { io, openapiVersion: '3.1.0' })
  Object.assign(schemas, components)
  return schema as Schema
}

/** What an operation can fail with by its nature, and what it says it can besides. */
function codesOf(access: Access, meta: Meta): Set<ErrorCode> {
  const codes: ErrorCode[] = [
    ...(meta.errors ?? []),
    'BAD_REQUEST',
    'RATE_LIMITED',
    'INTERNAL_ERROR',
    'SERVICE_UNAVAILABLE',
  ]
  if (access !== 'public') codes.push('UNAUTHORIZED', 'FORBIDDEN')
  if (meta.openapi?.method !== 'GET') codes.push('PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE')
  return new Set(codes)
}

function failures(codes: Set<ErrorCode>): Record<string, Response> {
  const statuses = [...new Set([...codes].map(statusOf))].sort()
  return Object.fromEntries(
    statuses.map(status => {
      const own = errorCodes.filter(code => codes.has(code) && statusOf(code) === status)
      return [
        String(status),
        {
          description: own.map(code => `${code}: ${meanings[code]}`).join('. '),
          headers: { ...requestIdHeader, ...([409, 429, 502, 503].includes(status) && retryAfterHeader) },
          content: {
            'application/json': {
              schema: { $ref: '#/components/schemas/Failure' },
              example: {
                success: false,
                error: { code: own[0], message: `${kindOf(own[0] as ErrorCode)}: what went wrong` },
              },
            },
          },
        },
      ]
    }),
  )
}

const meanings: Record<ErrorCode, string> = {
  BAD_REQUEST: 'the message names the field at fault',
  UNAUTHORIZED: 'the credential is missing, invalid, or not of the kind this operation takes',
  FORBIDDEN: 'the role may not do this, or the tenant is suspended',
  NOT_FOUND: 'it does not exist, or belongs to another tenant or mode',
  METHOD_NOT_ALLOWED: 'the path takes other methods',
  IDEMPOTENCY_CONFLICT:
    'the key was used with another body; with Retry-After, its first request is still running',
  INVALID_STATE_TRANSITION: "the payment's status does not allow it",
  CONFLICT: 'the present state does not allow it',
  PAYLOAD_TOO_LARGE: 'the body exceeds 256 KiB, a settlement 64 MiB',
  UNSUPPORTED_MEDIA_TYPE: 'the body is not of the type that the operation takes',
  RATE_LIMITED: 'too many requests; wait as long as Retry-After says',
  INTERNAL_ERROR: 'our fault; the message holds the request id',
  PROVIDER_ERROR:
    'the provider refused, could not be reached or did not answer; the message says whether to repeat',
  SERVICE_UNAVAILABLE: 'the database is away or the service is stopping; try again',
}

const requestIdHeader = {
  'X-Request-Id': { description: 'Names this request in the logs', schema: { type: 'string' } },
}
const replayedHeader = {
  'Idempotency-Replayed': {
    description: '`true` where the payment was created by an earlier request with this key',
    schema: { type: 'string', enum: ['true'] },
  },
}
const retryAfterHeader = { 'Retry-After': { description: 'Seconds to wait', schema: { type: 'integer' } } }
const idempotencyParameter = {
  name: 'X-Idempotency-Key',
  in: 'header',
  required: true,
  description: 'One for each order, for ever: 1 to 255 visible ASCII characters',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
  example: 'order-1001',
}

/** Every integer is given JavaScript's bounds, which say nothing about ours. */
function withoutNoise(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNoise)
  if (value === null || typeof value !== 'object') return value
  const kept = Object.entries(value).filter(
    ([key, each]) =>
      !(key === 'maximum' && each === Number.MAX_SAFE_INTEGER) &&
      !(key === 'minimum' && each === Number.MIN_SAFE_INTEGER),
  )
  return Object.fromEntries(kept.map(([key, each]) => [key, withoutNoise(each)]))
}
