// Provides the values for the curl and SDK samples of an operation. The values are taken from the examples in the API
// document.

import type { Content, Operation, Parameter } from './document.ts'

type Values = Record<string, unknown>

/**
 * An example call to an operation, with the values of its parameters and body. `name` is the example's name in the
 * API document.
 */
export type Example = { name: string; path: Values; query: Values; headers: Values; body: unknown }

/** Returns an operation's examples. The result contains at least one example. */
export function examplesOf(operation: Operation): Example[] {
  const [content] = Object.values(operation.requestBody?.content ?? {})
  const names = Object.keys(content?.examples ?? {})
  return (names.length > 0 ? names : ['']).map(name => ({
    name,
    path: valuesOf(operation, 'path', name),
    query: valuesOf(operation, 'query', name),
    headers: valuesOf(operation, 'header', name),
    body: content && bodyOf(content, name),
  }))
}

const bodyOf = (content: Content, name: string): unknown => content.examples?.[name]?.value ?? content.example

/**
 * Returns the values of the required parameters. Optional parameters are omitted, because a sample request with all
 * filters at once would not be useful.
 */
function valuesOf(operation: Operation, where: Parameter['in'], example: string): Values {
  const needed = operation.parameters.filter(each => each.in === where && each.required)
  return Object.fromEntries(needed.map(each => [each.name, exampleValue(each, example)]))
}

function exampleValue({ name, schema, example, examples = {} }: Parameter, wanted: string): unknown {
  const [first] = Object.values(examples)
  return (
    examples[wanted]?.value ?? first?.value ?? example ?? schema.enum?.[0] ?? schema.default ?? `<${name}>`
  )
}
