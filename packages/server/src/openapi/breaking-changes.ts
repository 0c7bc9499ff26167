// Finds the changes in an API document that would break existing clients. An operation, parameter, body, response,
// error or webhook must not be removed or become stricter. All functions are pure.

import { follow, type Json } from './normalize-schema.ts'
import { type Direction, type Documents, type SchemaChange, schemaChanges } from './schema-changes.ts'

type Named = Json & { name: string; in: string; required?: boolean; schema: Json }
type Place = { documents: Documents; at: string }

/**
 * Returns one line for each breaking change. The line contains the place of the change, what changed, and what to do
 * instead.
 */
export function breakingChanges(before: Json, after: Json): string[] {
  const documents = { before, after }
  return [
    ...operationsOf(before, 'paths').flatMap(({ path, method, operation }) => {
      const at = `${method.toUpperCase()} ${path}`
      const now = operationAt(after, 'paths', path, method)
      if (!now) return [`${at}: was removed; keep it, with \`deprecated: true\`, until its sunset date`]
      return operationChanges({ documents, at }, operation, now)
    }),
    ...operationsOf(before, 'webhooks').flatMap(({ path, method, operation }) => {
      const at = `webhook ${path}`
      const now = operationAt(after, 'webhooks', path, method)
      if (!now) return [`${at}: was removed; keep sending this webhook`]
      return webhookChanges({ documents, at }, operation, now)
    }),
  ]
}

const methods = ['get', 'put', 'post', 'delete', 'patch']

function operationsOf(document: Json, part: 'paths' | 'webhooks') {
  return Object.entries((document[part] ?? {}) as Record<string, Record<string, Json>>).flatMap(
    ([path, item]) =>
      methods.flatMap(method => (item[method] ? [{ path, method, operation: item[method] }] : [])),
  )
}

const operationAt = (document: Json, part: string, path: string, method: string): Json | undefined =>
  (document[part] as Record<string, Record<string, Json>> | undefined)?.[path]?.[method]

function operationChanges(place: Place, before: Json, after: Json): string[] {
  const { at } = place
  const renamed =
    before.operationId === after.operationId
      ? []
      : [
          `${at}: the operation ID changed from ${before.operationId} to ${after.operationId}; restore the old ID, because generated clients name their methods after it`,
        ]
  return [
    ...renamed,
    ...securityChanges(place, before, after),
    ...parameterChanges(place, before, after),
    ...bodyChanges(place, before, after),
    ...responseChanges(place, before, after),
  ]
}

function webhookChanges(place: Place, before: Json, after: Json): string[] {
  const { documents, at } = place
  const kept = new Set(parametersOf(documents.after, after).map(({ name }) => name))
  const gone = parametersOf(documents.before, before)
    .filter(({ name }) => !kept.has(name))
    .map(({ name }) => `${at}: the header ${name} was removed; keep sending it`)
  return [...gone, ...contentChanges(place, before.requestBody, after.requestBody, 'answered', 'body')]
}

function securityChanges({ documents, at }: Place, before: Json, after: Json): string[] {
  const [old, now] = [credentialsOf(documents.before, before), credentialsOf(documents.after, after)]
  if (old.size === 0) return now.size === 0 ? [] : [`${at}: now requires a credential; keep it public`]
  return [...old]
    .filter(each => now.size > 0 && !now.has(each))
    .map(each => `${at}: no longer accepts ${each}; keep accepting it`)
}

/**
 * Returns how a caller sends each accepted credential. The security scheme's name is left out, because callers do
 * not depend on it.
 */
function credentialsOf(document: Json, { security }: Json): Set<string> {
  const { securitySchemes = {} } = (document.components ?? {}) as { securitySchemes?: Record<string, Json> }
  return new Set(
    ((security ?? []) as object[]).map(each =>
      Object.keys(each)
        .map(name => {
          const { type, scheme, in: place, name: field } = securitySchemes[name] ?? {}
          return [type ?? name, scheme, place, field].filter(Boolean).join(' ')
        })
        .join(' and '),
    ),
  )
}

const parametersOf = (document: Json, { parameters }: Json): Named[] =>
  ((parameters ?? []) as Json[]).map(each => follow(document, each) as Named)

function parameterChanges({ documents, at }: Place, before: Json, after: Json): string[] {
  const nameOf = (parameter: Named) => `${parameter.in} ${parameter.name}`
  const old = new Map(parametersOf(documents.before, before).map(each => [nameOf(each), each]))
  const now = new Map(parametersOf(documents.after, after).map(each => [nameOf(each), each]))
  const stricter = [...now]
    .filter(([name, { required }]) => required && !old.get(name)?.required)
    .map(([name]) => `${at}: ${name} is now required; keep the parameter optional`)
  const others = [...old].flatMap(([name, parameter]) => {
    const kept = now.get(name)
    if (!kept) return [`${at}: ${name} was removed; keep it, with \`deprecated: true\``]
    return said(`${at}: ${name}`, schemaChanges(documents, parameter.schema, kept.schema, 'sent'))
  })
  return [...stricter, ...others]
}

function bodyChanges(place: Place, before: Json, after: Json): string[] {
  const now = after.requestBody as Json | undefined
  if (now?.required && !(before.requestBody as Json | undefined)?.required)
    return [`${place.at}: now requires a body; keep the body optional`]
  return contentChanges(place, before.requestBody, now, 'sent', 'request')
}

function responseChanges(place: Place, before: Json, after: Json): string[] {
  const { documents, at } = place
  const now = (after.responses ?? {}) as Record<string, Json>
  return Object.entries((before.responses ?? {}) as Record<string, Json>).flatMap(([status, response]) => {
    const kept = now[status]
    if (!kept)
      return [
        `${at}: the response ${status} was removed; keep it, because clients may not handle a different status`,
      ]
    const [old, current] = [follow(documents.before, response), follow(documents.after, kept)]
    const headers = Object.keys((old.headers ?? {}) as Json)
      .filter(name => !(name in ((current.headers ?? {}) as Json)))
      .map(name => `${at}: ${status}: the header ${name} was removed; keep sending it`)
    const codes = (current['x-error-codes'] ?? []) as string[]
    const gone = ((old['x-error-codes'] ?? []) as string[])
      .filter(code => !codes.includes(code))
      .map(code => `${at}: ${status}: the error code ${code} was removed; keep it`)
    return [...headers, ...gone, ...contentChanges(place, old, current, 'answered', status)]
  })
}

function contentChanges(
  { documents, at }: Place,
  before: unknown,
  after: unknown,
  direction: Direction,
  part: string,
): string[] {
  const [old, now] = [before, after].map(
    each => ((each as Json | undefined)?.content ?? {}) as Record<string, { schema: Json }>,
  ) as [Record<string, { schema: Json }>, Record<string, { schema: Json }>]
  return Object.entries(old).flatMap(([type, { schema }]) => {
    const kept = now[type]
    if (!kept) return [`${at}: ${part}: ${type} was removed; keep this media type`]
    return said(`${at}: ${part}`, schemaChanges(documents, schema, kept.schema, direction))
  })
}

/**
 * Returns one line for each change, without duplicates. Several paths through a schema can lead to the same change.
 */
const said = (at: string, changes: SchemaChange[]): string[] => [
  ...new Set(changes.map(({ field, what, instead }) => `${at}: ${field}: ${what}; ${instead}`)),
]
