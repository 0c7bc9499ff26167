// Builds the OpenAPI document. trpc-to-openapi generates it from the procedures. This module adds the envelope,
// errors, credentials, body names, and webhooks. All functions are pure.

import { generateOpenApiDocument, type OpenAPIObject } from 'trpc-to-openapi'
import { z } from 'zod'
import { createSchema } from 'zod-openapi'
import { xlsxType } from '../api/export-style.ts'
import { type Access, acceptsKey, type Meta } from '../api/trpc.ts'
import { type NeededScope, scopesIn } from '../auth/api-keys/scope.ts'
import { type NeededPermission, permissionsThatAllow } from '../auth/users/permission.ts'
import { paymentByMethod } from '../payments/payment-view.ts'
import type { appRouter } from '../router.ts'
import { accessTokenDescription, apiKeyDescription, description, tags, title } from './document-info.ts'
import { failureSchema, failuresOf, needsCredential, rateLimitHeaders } from './error-responses.ts'
import type { Example } from './example-parts.ts'
import { examples } from './examples.ts'
import { linksOf } from './links.ts'
import { nameSchemas } from './name-schemas.ts'
import { inReadingOrder, shareParameters, withoutNoise } from './tidy-document.ts'
import { webhookPart } from './webhook-events.ts'

type Json = Record<string, unknown>
type Content = Record<string, { schema: Json; example?: unknown; examples?: object }>
export type Operation = {
  operationId: string
  tags: string[]
  description?: string
  parameters?: (Json & { name: string })[]
  requestBody?: { required?: boolean; content: Content }
  responses: Record<string, Json & { content?: Content }>
  security?: object[]
}
type Paths = Record<string, Record<string, Operation>>
type Parts = { schemas: Record<string, Json>; responses: Record<string, Json> }

export type DescribedProcedure = { meta: Meta; inputs: unknown[] }

export function openApiDocument(
  router: typeof appRouter,
  procedures: DescribedProcedure[],
  version: string,
): OpenAPIObject {
  const document = generateOpenApiDocument(router, {
    title,
    version,
    description,
    baseUrl: '/',
    securitySchemes: {
      ApiKeyAuth: { type: 'apiKey', in: 'header', name: 'Authorization', description: apiKeyDescription },
      AccessTokenAuth: {
        type: 'http',
        scheme: 'bearer',
        bearerFormat: 'JWT',
        description: accessTokenDescription,
      },
    },
  })
  const paths = document.paths as unknown as Paths
  const generated = (document.components?.schemas ?? {}) as Record<string, Json>
  const parts: Parts = {
    // Discards the generator's error responses and their schemas, because this module adds the service's own
    // error responses.
    schemas: Object.fromEntries(Object.entries(generated).filter(([name]) => !name.startsWith('error.'))),
    responses: {},
  }
  const events = webhookPart()
  Object.assign(parts.schemas, events.schemas, { Failure: failureSchema })
  // The service's zod schema for payments describes all payment methods in one schema. The API document
  // contains a separate payment schema for each payment method instead.
  named(paymentByMethod, parts.schemas)
  for (const { meta, inputs } of procedures) {
    const { path, method } = meta.openapi ?? {}
    const operation = paths[path ?? '']?.[(method ?? '').toLowerCase()]
    if (!operation) continue
    describeQuery(operation, inputs)
    describe(operation, meta, parts)
  }
  const whole = withoutNoise({
    openapi: '3.1.0',
    info: {
      title,
      version,
      summary:
        'Create payments with Indonesian payment methods through one API, and receive a webhook when they are paid.',
      description,
      contact: { name: 'The operator of this service' },
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/', description: 'The server that returned this document' }],
    tags,
    paths: inReadingOrder(
      paths,
      tags.map(({ name }) => name),
    ),
    webhooks: events.webhooks,
    components: {
      securitySchemes: document.components?.securitySchemes,
      parameters: { ...shareParameters(paths), ...events.parameters },
      headers,
      responses: parts.responses,
      schemas: parts.schemas,
    },
  }) as OpenAPIObject & { paths: never; components: { schemas: Record<string, Json> } }
  whole.components.schemas = nameSchemas(whole.components.schemas, whole.paths) as never
  return whole
}

const securityOf: Record<Access, object[]> = {
  public: [],
  api_key: [{ ApiKeyAuth: [] }],
  user: [{ AccessTokenAuth: [] }],
  tenant: [{ ApiKeyAuth: [] }, { AccessTokenAuth: [] }],
}

/**
 * Adds missing query parameter descriptions. The generator reads only descriptions inside `optional()`, but our
 * schemas set them outside.
 */
function describeQuery({ parameters = [] }: Operation, inputs: unknown[]): void {
  const shape: Record<string, z.ZodType> = Object.assign(
    {},
    ...inputs.map(each => (each instanceof z.ZodObject ? each.shape : {})),
  )
  for (const parameter of parameters) {
    const { description: within } = parameter.schema as { description?: string }
    const { description: said = within, example } = shape[parameter.name]?.meta() ?? {}
    if (said !== undefined) parameter.description = said
    if (example !== undefined) parameter.example = example
  }
}

function describe(operation: Operation, meta: Meta, parts: Parts): void {
  const { operationId } = operation
  const access = meta.access ?? 'public'
  const example = examples[operationId]
  if (!example) throw new Error(`${operationId} has no example`)
  operation.security = securityOf[access]
  operation.description = `${operation.description}\n\n**Who can call it:** ${whoMay(access, meta)}${whoMayExport(meta)}`
  if (meta.idempotent) operation.parameters = [idempotencyKeyOf(example), ...(operation.parameters ?? [])]
  else if (acceptsKey(meta)) operation.parameters = [managementKey, ...(operation.parameters ?? [])]
  if (meta.upload)
    operation.requestBody = {
      required: true,
      content: {
        [meta.upload.type]: {
          schema: { type: 'string', format: 'binary' },
          examples: valuesOf(example.request ?? {}),
        },
      },
    }
  else if (operation.requestBody) nameBody(operation, meta, parts.schemas, example.request)
  for (const [name, values] of Object.entries(example.query ?? {})) {
    const parameter = operation.parameters?.find(each => each.name === name)
    if (!parameter) throw new Error(`${operationId} has no parameter ${name}`)
    delete parameter.example
    parameter.examples = valuesOf(values)
  }
  const given = operation.parameters ?? []
  const failing = {
    operationId,
    path: meta.openapi?.path ?? '',
    hasInput: given.length > 0 || operation.requestBody !== undefined,
    hasCursor: given.some(({ name }) => name === 'cursor'),
  }
  operation.responses = {
    '200': successOf(operation, meta, example, parts.schemas),
    ...failuresOf(failing, meta, example.failures ?? {}, parts.responses),
  }
}

function whoMay(
  access: Access,
  { roles = [], permission = 'self', scope, testModeOnly = false }: Meta,
): string {
  const who = roles.map(role => `${role[0]?.toUpperCase()}${role.slice(1)}`).join(' or ')
  switch (access) {
    case 'public':
      return 'anyone. No credential is required.'
    case 'api_key':
      return `an API key${who && ` of a ${who}`}${ofScope(scope)}. Access tokens are not accepted.`
    case 'user':
      return `any user${havingPermission(permission)}${who && ` of a tenant with the role ${who}`}. The user must send an access token; API keys are not accepted.`
    case 'tenant':
      if (testModeOnly)
        return `a test API key${ofScope(scope)}; or any user${havingPermission(permission)} who sends an access token. Live API keys are not accepted.`
      return `an API key${ofScope(scope)}, for the key's mode; or any user${havingPermission(permission)} who sends an access token, for both modes.`
  }
}

/** Returns a sentence about users' exports if they need another permission than the JSON response. */
const whoMayExport = ({ lines }: Meta): string =>
  lines?.permission ? ` For an export, the user needs${permissionOf(lines.permission)}.` : ''

const oneOf = new Intl.ListFormat('en-GB', { type: 'disjunction' })

const ofScope = (needed: NeededScope | undefined): string =>
  needed ? ` (a key with scopes needs ${oneOf.format(scopesIn(needed).map(each => `\`${each}\``))})` : ''

const havingPermission = (needed: NeededPermission): string =>
  permissionsThatAllow(needed).includes('viewer') ? '' : ` with${permissionOf(needed)}`

const permissionOf = (needed: NeededPermission): string =>
  ` the permission ${oneOf.format(permissionsThatAllow(needed).map(each => `\`${each}\``))}`

function successOf(operation: Operation, meta: Meta, example: Example, schemas: Record<string, Json>) {
  const data = operation.responses['200']?.content?.['application/json']?.schema ?? {}
  const enveloped = (response: unknown) => ({ success: true, data: response })
  const links = linksOf(operation.operationId)
  return {
    description: 'Success',
    headers: {
      'X-Request-Id': { $ref: '#/components/headers/X-Request-Id' },
      ...(needsCredential(meta.access) && rateLimitHeaders),
      ...((meta.idempotent || acceptsKey(meta)) && {
        'Idempotency-Replayed': { $ref: '#/components/headers/Idempotency-Replayed' },
      }),
    },
    content: {
      'application/json': {
        schema: {
          type: 'object',
          properties: { success: { type: 'boolean', const: true }, data },
          required: ['success', 'data'],
        },
        ...('responses' in example
          ? { examples: valuesOf(mapValues(example.responses, enveloped)) }
          : { example: enveloped(example.response) }),
      },
      ...((meta.sheet || meta.lines) && {
        'text/csv': { schema: { type: 'string' }, ...(example.csv && { example: example.csv }) },
        [xlsxType]: { schema: { type: 'string', contentMediaType: xlsxType } },
      }),
      ...(meta.lines && {
        'application/x-ndjson': { schema: named(meta.lines.schema, schemas) },
      }),
    },
    ...(links && { links }),
  }
}

function nameBody(
  operation: Operation,
  meta: Meta,
  schemas: Record<string, Json>,
  requests: Record<string, unknown> | undefined,
): void {
  const content = operation.requestBody?.content['application/json']
  if (!operation.requestBody || !content) return
  // If no field of an operation's body is required, the service also accepts a request without a body.
  operation.requestBody.required =
    meta.body !== undefined || ((content.schema.required ?? []) as string[]).length > 0
  if (meta.body) content.schema = named(meta.body, schemas, 'input')
  else {
    const name = `${operation.operationId[0]?.toUpperCase()}${operation.operationId.slice(1)}Body`
    schemas[name] = content.schema
    content.schema = { $ref: `#/components/schemas/${name}` }
  }
  content.examples = valuesOf(requests ?? { empty: {} })
}

/**
 * Adds a zod schema that is not part of any procedure as a component of the document. The component's name is the
 * schema's ID.
 */
function named(type: z.ZodType, schemas: Record<string, Json>, io: 'input' | 'output' = 'output'): Json {
  const { schema, components } = createSchema(type, { io, openapiVersion: '3.1.0' })
  Object.assign(schemas, components)
  return schema as Json
}

const mapValues = <In, Out>(record: Record<string, In>, map: (value: In) => Out): Record<string, Out> =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value)]))

const valuesOf = (examples: Record<string, unknown>) => mapValues(examples, value => ({ value }))

const idempotencyKeyOf = ({ keys = {} }: Example) => ({
  name: 'X-Idempotency-Key',
  in: 'header',
  required: true,
  description:
    'A unique key for the new payment or refund, such as your order number: 1 to 255 visible ASCII characters. A retry with the same key does not create a second payment or refund. Never reuse a key for another order or refund',
  schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x21-\\x7e]+$' },
  examples: valuesOf(keys),
})

const managementKey = {
  name: 'X-Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'A unique key for this change: 1 to 255 visible ASCII characters. If you repeat the request with the same key and body within 24 hours, the change is not made a second time. You get the first response again, with the header `Idempotency-Replayed: true`. Keys from different users never collide',
  schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x21-\\x7e]+$' },
  example: '01990000-0000-7000-8000-000000000013',
}

const headers = {
  'X-Request-Id': {
    description:
      "ID of this request in the service's logs. If your request has a valid `X-Request-Id` header, the response returns its value",
    schema: { type: 'string' },
    example: '01990000-0000-7000-8000-000000000012',
  },
  'RateLimit-Policy': {
    description:
      "The API key's or user's rate limit: up to `q` requests in `w` seconds. After a pause, all `q` requests can be sent at once. Each server process counts separately (draft-ietf-httpapi-ratelimit-headers-11).",
    schema: { type: 'string' },
    example: '"starter";q=100;w=2',
  },
  RateLimit: {
    description:
      "The API key's or user's remaining quota after this request. `r` is the number of requests that can still be sent at once. `t` is the number of seconds without requests after which the full quota is available again.",
    schema: { type: 'string' },
    example: '"starter";r=99;t=1',
  },
  'WWW-Authenticate': {
    description:
      'Authentication schemes the operation accepts. If the request had an invalid access token, the header contains `error="invalid_token"`',
    schema: { type: 'string' },
    example: 'Bearer realm="gapura", ApiKey realm="gapura"',
  },
  'Retry-After': {
    description: 'Number of seconds to wait before retrying the request',
    schema: { type: 'integer', format: 'int32', minimum: 0 },
    example: 1,
  },
  'Idempotency-Replayed': {
    description:
      '`true` if an earlier request with the same `X-Idempotency-Key` already made the change, such as creating the payment',
    schema: { type: 'string', enum: ['true'] },
    example: 'true',
  },
}
