// The parts of the OpenAPI document that the API reference shows.

export type Schema = {
  $ref?: string
  type?: string | string[]
  format?: string
  description?: string
  const?: unknown
  enum?: unknown[]
  default?: unknown
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  maxItems?: number
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  additionalProperties?: boolean | Schema
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
}
type Examples = Record<string, { value: unknown }>
export type Parameter = {
  name: string
  in: 'path' | 'query' | 'header'
  required?: boolean
  description?: string
  schema: Schema
  example?: unknown
  examples?: Examples
}
export type Content = { schema: Schema; example?: unknown; examples?: Examples }
export type Response = { description: string; content?: Record<string, Content> }
type Reference = { $ref: string }
type WrittenOperation = {
  operationId: string
  summary: string
  description?: string
  tags: string[]
  security: Record<string, unknown>[]
  parameters?: (Parameter | Reference)[]
  requestBody?: { required?: boolean; content: Record<string, Content> }
  responses: Record<string, Response | Reference>
}
export type OpenApi = {
  info: { title: string; version: string; description: string }
  tags: { name: string; description: string }[]
  paths: Record<string, Record<string, WrittenOperation>>
  webhooks: Record<string, Record<string, WrittenOperation>>
  components: Record<string, Record<string, unknown>>
}

/**
 * An API operation in whose parameters and responses all references have been resolved. Its schemas still
 * contain references, because schemas can be recursive.
 */
export type Operation = Omit<WrittenOperation, 'parameters' | 'responses'> & {
  method: string
  path: string
  parameters: Parameter[]
  responses: Record<string, Response>
}

/** A page in the API reference. It shows either the operations of one tag or the webhook events. */
export type OperationGroup = { slug: string; title: string; description: string; operations: Operation[] }

/**
 * If `value` is a reference such as `#/components/schemas/Payment`, returns the object to which it refers. Otherwise,
 * returns `value` itself.
 */
export function resolve<T extends object>(openapi: OpenApi, value: T): Exclude<T, Reference> {
  const { $ref } = value as { $ref?: string }
  if ($ref === undefined) return value as Exclude<T, Reference>
  const [, , kind = '', name = ''] = $ref.split('/')
  return openapi.components[kind]?.[name] as Exclude<T, Reference>
}

export const EVENTS = 'webhook-events'

export const slugOf = (tag: string): string => tag.toLowerCase().replaceAll(' ', '-')

export function groupsOf(openapi: OpenApi): OperationGroup[] {
  const operations = readOperations(openapi, openapi.paths)
  const groups = openapi.tags.map(({ name, description }) => ({
    slug: slugOf(name),
    title: name,
    description,
    operations: operations.filter(({ tags }) => tags.includes(name)),
  }))
  const events = {
    slug: EVENTS,
    title: 'Webhook events',
    description: 'Requests that the service sends to your callback URL.',
    operations: readOperations(openapi, openapi.webhooks),
  }
  const after = groups.findIndex(({ slug }) => slug === 'webhooks') + 1
  return groups.toSpliced(after, 0, events)
}

const readOperations = (openapi: OpenApi, items: OpenApi['paths']): Operation[] =>
  Object.entries(items).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({
      ...operation,
      method: method.toUpperCase(),
      path,
      parameters: (operation.parameters ?? []).map(each => resolve(openapi, each)),
      responses: Object.fromEntries(
        Object.entries(operation.responses).map(([status, each]) => [status, resolve(openapi, each)]),
      ),
    })),
  )
