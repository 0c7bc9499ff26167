// Writes src/generated/operations.gen.ts: what each operation of the API document is called by, with the types that
// openapi-ts made of it. openapi-ts' own operations bring a client of 9 kB along that is never used.

import { readFile, writeFile } from 'node:fs/promises'

const { paths } = JSON.parse(
  await readFile(new URL('../../../openapi/openapi.json', import.meta.url), 'utf8'),
)
const methods = ['get', 'post', 'put', 'patch', 'delete']

const operations = Object.entries(paths).flatMap(([path, item]) =>
  methods.filter(method => item[method]).map(method => operation(method, path, item[method])),
)

/** openapi-ts names the types of an operation so, too. */
function operation(method, path, { operationId, summary, requestBody }) {
  const [contentType = 'application/json'] = Object.keys(requestBody?.content ?? {})
  const fields = [`method: '${method.toUpperCase()}'`, `path: '${path}'`]
  if (contentType !== 'application/json') fields.push(`contentType: '${contentType}'`)
  const type = operationId.charAt(0).toUpperCase() + operationId.slice(1)
  return `
/** ${summary} */
export const ${operationId}: Operation<types.${type}Data, types.${type}Responses> = { ${fields.join(', ')} }
`
}

await writeFile(
  new URL('../src/generated/operations.gen.ts', import.meta.url),
  `// Made of openapi/openapi.json by scripts/generate-operations.mjs; never edited.

import type { Operation } from '../operation.ts'
import type * as types from './types.gen.ts'
${operations.join('')}`,
)
