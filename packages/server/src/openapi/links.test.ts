// Checks that each link in openapi/openapi.json leads from a response field to a parameter of the linked operation.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { follow, type Json } from './normalize-schema.ts'

type Link = { operationId: string; parameters: Record<string, string> }
type Operation = {
  operationId: string
  parameters?: Json[]
  responses: Record<string, { links?: Record<string, Link>; content: Record<string, { schema: Json }> }>
}

const document = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../../../openapi/openapi.json'), 'utf8'),
) as Json & { paths: Record<string, Record<string, Operation>> }
const operations = new Map(
  Object.values(document.paths).flatMap(methods =>
    Object.values(methods).map(operation => [operation.operationId, operation] as const),
  ),
)
const links = [...operations.values()].flatMap(from =>
  Object.values(from.responses['200']?.links ?? {}).map(link => ({
    from,
    link,
    name: `${from.operationId} → ${link.operationId}`,
  })),
)

const parametersOf = (operation: Operation): { name: string; in: string }[] =>
  (operation.parameters ?? []).map(each => follow(document, each) as { name: string; in: string })

/** Returns whether every variant of the schema has a field at this path. */
function hasField(schema: Json, [name, ...rest]: string[]): boolean {
  if (name === undefined) return true
  const own = follow(document, schema)
  const choices = (own.oneOf ?? own.anyOf) as Json[] | undefined
  if (choices) return choices.every(choice => hasField(choice, [name, ...rest]))
  const next = own.type === 'array' ? own.items : (own.properties as Json | undefined)?.[name]
  return next !== undefined && hasField(next as Json, rest)
}

test('the API document has more than twenty links between operations', () =>
  expect(links.length).toBeGreaterThan(20))

test.each(links)(
  'the link $name in the API document takes its parameters from fields of the operation’s response or from the path of the request',
  ({ from, link }) => {
    const to = operations.get(link.operationId)
    if (!to) throw new Error(`there is no operation ${link.operationId}`)
    const inPath = parametersOf(to).flatMap(each => (each.in === 'path' ? each.name : []))
    // The path of the linked operation may have further parameters, such as a date, whose values the client must
    // supply.
    expect(inPath).toEqual(expect.arrayContaining(Object.keys(link.parameters)))
    const answered = from.responses['200']?.content['application/json']?.schema as Json
    for (const expression of Object.values(link.parameters)) {
      const [, asked] = /^\$request\.path\.(\w+)$/.exec(expression) ?? []
      if (asked) expect(parametersOf(from).map(({ name }) => name)).toContain(asked)
      else
        expect([expression, hasField(answered, (expression.split('#/')[1] ?? '').split('/'))]).toEqual([
          expression,
          true,
        ])
    }
  },
)

test('no shared parameter has the same name as a schema, because Go generators put both into one namespace', () => {
  const schemas = Object.keys((document.components as { schemas: Json }).schemas)
  const others = Object.keys((document.components as { parameters: Json }).parameters)
  expect(others.filter(name => schemas.includes(name))).toEqual([])
})
