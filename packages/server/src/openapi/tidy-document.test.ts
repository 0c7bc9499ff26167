import { expect, test } from 'vitest'
import { shareParameters } from './tidy-document.ts'

const operationWith = (schema: object) => ({
  tags: [],
  parameters: [{ name: 'page_size', in: 'query', schema }],
})
const shared = (schema: object) => {
  const paths = { '/a': { get: operationWith(schema) }, '/b': { get: operationWith(schema) } }
  return { components: Object.keys(shareParameters(paths)), parameter: paths['/a'].get.parameters[0] }
}

test('if two operations have the same parameter, the API document defines it only once, as a shared component', () => {
  expect(shared({ type: 'integer' })).toEqual({
    components: ['PageSizeParameter'],
    parameter: { $ref: '#/components/parameters/PageSizeParameter' },
  })
})

test('a parameter with alternative schemas (anyOf) does not become a shared OpenAPI component', () => {
  const { components, parameter } = shared({ anyOf: [{ type: 'string' }, { type: 'integer' }] })
  expect(components).toEqual([])
  expect(parameter).toMatchObject({ name: 'page_size' })
})
