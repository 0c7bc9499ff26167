// Holds every answer that a journey gets from the API against the OpenAPI document: its status is documented
// for the operation and its body is of the documented shape.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'

export type Operation = {
  operationId: string
  security: object[]
  responses: Record<string, { content?: Record<string, object> }>
}
export type Document = { paths: Record<string, Record<string, Operation>> }

export const document = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../../../openapi/openapi.json'), 'utf8'),
) as Document

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

/** Throws where an answer is not what the document promises. Paths and methods it does not know are let pass. */
export function holdAgainstDocument(
  method: string,
  url: string,
  status: number,
  contentType: string,
  text: string,
): void {
  const { pathname } = new URL(url)
  // A literal path wins over one with a parameter, as in the router.
  const known = templates
    .filter(({ matches }) => matches.test(pathname))
    .sort((a, b) => a.path.split('{').length - b.path.split('{').length)
  const path = known.find(template => document.paths[template.path]?.[method.toLowerCase()])?.path
  if (path === undefined || status === 405) return
  const response = document.paths[path]?.[method.toLowerCase()]?.responses[status]
  if (!response) throw new Error(`${method} ${path} does not document ${status}: ${text}`)
  const type = contentType.split(';')[0] ?? ''
  if (!response.content?.[type]) throw new Error(`${method} ${path} ${status} does not document ${type}`)
  if (type !== 'application/json') return
  const validator = validatorAt(
    pointerTo('paths', path, method.toLowerCase(), 'responses', status, 'content', type, 'schema'),
  )
  if (!validator(JSON.parse(text)))
    throw new Error(`${method} ${path} ${status} is not as documented: ${faultsOf(validator)}\n${text}`)
}
