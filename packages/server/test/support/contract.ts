// Checks every API response that a test receives against the OpenAPI document. The status must be documented for
// the operation, and the body must match the schema without undocumented fields.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { closedDocument } from './closed-document.ts'

export type Operation = {
  operationId: string
  security: object[]
  responses: Record<string, Response | { $ref: string }>
}
type Response = { content?: Record<string, object> }
export type Document = {
  paths: Record<string, Record<string, Operation>>
  components: { responses: Record<string, Response>; parameters: Record<string, { name: string }> }
}

export const document: Document = closedDocument(
  JSON.parse(readFileSync(join(import.meta.dirname, '../../../../openapi/openapi.json'), 'utf8')),
)

const ajv = formats.default(new Ajv2020({ strict: false, allErrors: true }))
ajv.addSchema(document, 'openapi')
const validators = new Map<string, ValidateFunction>()

export const pointerTo = (...parts: (string | number)[]): string =>
  parts.map(part => encodeURIComponent(String(part).replaceAll('~', '~0').replaceAll('/', '~1'))).join('/')

export function validatorAt(pointer: string): ValidateFunction {
  const validator = validators.get(pointer) ?? ajv.compile({ $ref: `openapi#/${pointer}` })
  validators.set(pointer, validator)
  return validator
}

export const faultsOf = (validator: ValidateFunction): string => ajv.errorsText(validator.errors)

export const operations = () =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      path,
      method: method.toUpperCase(),
      ...operation,
    })),
  )

const templates = Object.keys(document.paths).map(path => ({
  path,
  matches: new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`),
}))

/** Returns the documented path and operation of a request, or undefined if the document does not contain them. */
export function operationAt(method: string, url: string): { path: string; operation: Operation } | undefined {
  const { pathname } = new URL(url)
  // A path without parameters takes precedence over a path with a parameter, as in the service's router.
  const known = templates
    .filter(({ matches }) => matches.test(pathname))
    .sort((a, b) => a.path.split('{').length - b.path.split('{').length)
  for (const { path } of known) {
    const operation = document.paths[path]?.[method.toLowerCase()]
    if (operation) return { path, operation }
  }
  return undefined
}

/** Throws if a response does not match the documentation. Ignores responses for undocumented paths and methods. */
export function holdAgainstDocument(
  method: string,
  url: string,
  status: number,
  contentType: string,
  text: string,
): void {
  const path = operationAt(method, url)?.path
  if (path === undefined || status === 405) return
  const place = responseAt(path, method.toLowerCase(), status)
  if (!place)
    throw new Error(
      `the API document for ${method} ${path} does not contain the status ${status} of this response: ${text}`,
    )
  const type = contentType.split(';')[0] ?? ''
  if (!place.response.content?.[type])
    throw new Error(`${method} ${path} ${status}: the API document does not list the content type ${type}`)
  const validator = validatorAt(pointerTo(...place.parts, 'content', type, 'schema'))
  for (const value of valuesOf(type, text))
    if (!validator(value))
      throw new Error(
        `${method} ${path} ${status} does not match the API document: ${faultsOf(validator)}\n${text}`,
      )
}

/**
 * Returns the documented response and its place in the API document: in the operation itself or among the
 * shared responses.
 */
function responseAt(path: string, method: string, status: number) {
  const documented = document.paths[path]?.[method]?.responses[status]
  if (documented === undefined) return undefined
  if (!('$ref' in documented))
    return { response: documented, parts: ['paths', path, method, 'responses', status] }
  const name = documented.$ref.split('/').at(-1) ?? ''
  return { response: document.components.responses[name] ?? {}, parts: ['components', 'responses', name] }
}

/**
 * Returns the values in a response body that must match the media type's schema. In JSON lines, each line is a separate
 * value, because OpenAPI before 3.2 cannot describe a sequence of values.
 */
function valuesOf(type: string, text: string): unknown[] {
  if (type === 'application/json') return [JSON.parse(text)]
  if (type === 'application/x-ndjson')
    return text
      .trimEnd()
      .split('\n')
      .map(line => JSON.parse(line))
  return [text]
}
