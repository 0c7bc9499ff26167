// Writes an API call as TypeScript with @gapura/sdk.

import { ACCESS_TOKEN, API_KEY, usesApiKey } from './curl.ts'
import type { Operation } from './document.ts'
import type { Example } from './example.ts'
import { Code, sdkCalls } from './sdk-calls.ts'

const WIDTH = 76

/**
 * Returns TypeScript code that calls the operation with the SDK at the address `service`. Throws an error if the
 * table of SDK calls (sdk-calls.ts) does not contain the operation.
 */
export function sdkSampleOf(operation: Operation, example: Example, service: string): string {
  const sdkCall = sdkCalls[operation.operationId]
  if (!sdkCall) throw new Error(`no call of the SDK is known for the operation ${operation.operationId}`)
  const { call, result, isList } = sdkCall
  const credential = usesApiKey(operation) ? `apiKey: '${API_KEY}'` : `accessToken: '${ACCESS_TOKEN}'`
  const made = `gapura.${call}(${argumentList(sdkCall.argumentsOf(example))})`
  const statements = isList
    ? `for await (const ${result} of ${made}) console.log(${result})`
    : `const ${result} = await ${made}\nconsole.log(${result})`
  return `import { Gapura } from '@gapura/sdk'

const gapura = new Gapura({
  ${credential},
  baseUrl: ${textLiteral(service)},
})

${statements}`
}

const argumentList = (values: unknown[]): string => values.map(value => literal(value, '')).join(', ')

/** Writes a value as a TypeScript literal, on one line if it is short. */
function literal(value: unknown, indent: string): string {
  if (value instanceof Code) return value.text
  if (typeof value === 'string') return textLiteral(value)
  if (typeof value === 'number') return String(value).replace(/\B(?=(\d{3})+$)/g, '_')
  if (typeof value !== 'object' || value === null) return String(value)
  const deeper = `${indent}  `
  const parts = Array.isArray(value)
    ? value.map(each => literal(each, deeper))
    : Object.entries(value).map(([key, each]) => property(key, each, deeper))
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{ ', ' }']
  if (parts.length === 0) return Array.isArray(value) ? '[]' : '{}'
  const short = open + parts.join(', ') + close
  if (short.length + indent.length <= WIDTH - 30 && !short.includes('\n')) return short
  return `${open.trim()}\n${parts.map(part => `${deeper}${part},\n`).join('')}${indent}${close.trim()}`
}

const property = (key: string, value: unknown, indent: string): string =>
  `${/^[A-Za-z_]\w*$/.test(key) ? key : textLiteral(key)}: ${literal(value, indent)}`

const textLiteral = (text: string): string =>
  `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`
