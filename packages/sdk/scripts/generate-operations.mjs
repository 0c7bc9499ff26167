// Writes src/generated/operations.gen.ts: the method and path of each operation in the API document, with the
// types from openapi-ts. The operations that openapi-ts itself can generate include a 9 kB client.

import { readFile, writeFile } from 'node:fs/promises'

const { paths } = JSON.parse(
  await readFile(new URL('../../../openapi/openapi.json', import.meta.url), 'utf8'),
)
const methods = ['get', 'post', 'put', 'patch', 'delete']

const operations = Object.entries(paths).flatMap(([path, item]) =>
  methods.filter(method => item[method]).map(method => operation(method, path, item[method])),
)

/**
 * Returns the source code of one operation. Its types, such as `${operationId}Data`, have the names that
 * openapi-ts generates.
 */
function operation(method, path, { operationId, summary, requestBody, parameters = [] }) {
  const [contentType = 'application/json'] = Object.keys(requestBody?.content ?? {})
  const fields = [`method: '${method.toUpperCase()}'`, `path: '${path}'`]
  if (contentType !== 'application/json') fields.push(`contentType: '${contentType}'`)
  if (parameters.some(({ $ref }) => $ref?.endsWith('/XIdempotencyKeyParameter')))
    fields.push('acceptsKey: true')
  const type = operationId.charAt(0).toUpperCase() + operationId.slice(1)
  return `
/** ${summary} */
export const ${operationId}: Operation<types.${type}Data, types.${type}Responses> = { ${fields.join(', ')} }
`
}

await writeFile(
  new URL('../src/generated/operations.gen.ts', import.meta.url),
  `// Generated from openapi/openapi.json by scripts/generate-operations.mjs. Do not edit.

import type { Operation } from '../operation.ts'
import type * as types from './types.gen.ts'
${operations.join('')}`,
)
