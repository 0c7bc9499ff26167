// The operations in the OpenAPI document, in the form that the fuzz run uses.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FuzzedOperation, Parameter } from './request.ts'
import type { Schema } from './schema.ts'

type Documented = {
  operationId: string
  security: Record<string, unknown>[]
  parameters?: (Parameter | { $ref: string })[]
  requestBody?: { content: Record<string, { schema: Schema }> }
}

const document = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../../../openapi/openapi.json'), 'utf8'),
) as { paths: Record<string, Record<string, Documented>> }

export function lookup<Found = Schema>(ref: string): Found {
  const found = ref
    .slice(2)
    .split('/')
    .reduce<unknown>((node, part) => (node as Record<string, unknown>)[part], document)
  if (found === undefined) throw new Error(`the document has no ${ref}`)
  return found as Found
}

/**
 * Limits the parameter wait_seconds to 0, because each request would otherwise wait up to 20 s for a webhook
 * event.
 */
const hardlyWaiting = (wait: Parameter): Parameter => ({
  ...wait,
  required: true,
  schema: { type: 'integer', minimum: 0, maximum: 0 },
})

export type Documentation = FuzzedOperation & { schemes: string[] }

export const operations: Documentation[] = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, { operationId, security, parameters = [], requestBody }]) => {
    const [type, content] = Object.entries(requestBody?.content ?? {})[0] ?? []
    return {
      operationId,
      method: method.toUpperCase(),
      path,
      schemes: security.flatMap(scheme => Object.keys(scheme)),
      parameters: parameters
        .map(each => ('$ref' in each ? lookup<Parameter>(each.$ref) : each))
        .map(each => (each.name === 'wait_seconds' ? hardlyWaiting(each) : each)),
      body: type && content ? { type, schema: content.schema } : undefined,
    }
  }),
)
