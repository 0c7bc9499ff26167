// Checks that the API document has a name for every schema, so that code generators do not have to invent one.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { nameSchemas } from './name-schemas.ts'

type Json = Record<string, unknown>
const document = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../../../openapi/openapi.json'), 'utf8'),
) as { components: { schemas: Record<string, Json> }; paths: Json }

/** Returns each schema that is inside another schema or an operation, with its place in the document. */
function* innerSchemas(value: unknown, place: string): Generator<[place: string, schema: Json]> {
  if (typeof value !== 'object' || value === null) return
  for (const [key, each] of Object.entries(value)) {
    if (['example', 'examples', 'default'].includes(key)) continue
    const at = `${place}/${key}`
    if (typeof each === 'object' && each !== null && !Array.isArray(each)) yield [at, each as Json]
    yield* innerSchemas(each, at)
  }
}
const inner = [
  ...Object.entries(document.components.schemas).flatMap(([name, schema]) => [...innerSchemas(schema, name)]),
  ...innerSchemas(document.paths, ''),
]

test('every object in the API document is a named schema', () => {
  // A part of `allOf` describes only some fields of a named object, so it needs no name of its own.
  const objects = inner.filter(
    ([place, schema]) => schema.type === 'object' && schema.properties && !/\/allOf\/\d+$/.test(place),
  )
  expect(objects.map(([place]) => place)).toEqual([])
})

test('each enumeration that occurs more than once in the API document is a named schema', () => {
  const lists = inner.filter(([, { enum: values }]) => Array.isArray(values) && values.length > 1)
  const texts = lists.map(([, schema]) => JSON.stringify(schema.enum))
  expect(lists.filter((_, index) => texts.indexOf(texts[index] as string) !== index)).toEqual([])
})

test('each named schema that offers a choice between objects (`oneOf`) has a discriminator', () => {
  const choices = Object.entries(document.components.schemas).filter(([, { oneOf }]) => oneOf)
  expect(choices.length).toBeGreaterThan(3)
  expect(choices.filter(([, { discriminator }]) => !discriminator).map(([name]) => name)).toEqual([])
})

const object = (...fields: string[]) => ({
  type: 'object',
  properties: Object.fromEntries(fields.map(field => [field, { type: 'string' }])),
})

test('building the API document fails if two different schemas would get the same name', () => {
  const schemas = { Order: { type: 'object', properties: { item: object('a') } }, OrderItem: object('b') }
  expect(() => nameSchemas(schemas, {})).toThrow(
    'two schemas would get the name OrderItem; give one of them an id',
  )
})
