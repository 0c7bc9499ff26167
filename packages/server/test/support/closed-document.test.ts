import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect, test } from 'vitest'
import { closedDocument } from './closed-document.ts'

const schema = () => ({ type: 'object', properties: { of: { type: 'string' } } })
const media = (schema: object) => ({ content: { 'application/json': { schema } } })
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })

const document = {
  paths: {
    '/a': {
      post: {
        requestBody: media(ref('Order')),
        responses: {
          200: media({ type: 'array', items: { oneOf: [ref('Payment'), ref('Failure')] } }),
          400: { $ref: '#/components/responses/Refused' },
          404: { 'x-error-codes': ['NOT_FOUND'], ...media(ref('Failure')) },
        },
      },
    },
  },
  webhooks: { paid: { post: { requestBody: media(schema()) } } },
  components: {
    responses: {
      Refused: media({
        allOf: [ref('Failure'), { type: 'object', properties: { error: schema() }, required: ['error'] }],
      }),
    },
    schemas: {
      Order: schema(),
      Payment: {
        type: 'object',
        properties: {
          method: schema(),
          any: { type: 'object', properties: {}, additionalProperties: { type: 'number' } },
        },
        example: { properties: {} },
      },
      Failure: {
        type: 'object',
        properties: {
          success: { type: 'boolean' },
          error: { type: 'object', properties: { of: { type: 'string' }, code: { type: 'string' } } },
        },
      },
    },
  },
}

const ajv = new Ajv2020({ strict: false })
ajv.addSchema(closedDocument(document), 'closed')
const isAsDocumented = (place: string, value: unknown) => ajv.validate(`closed#/${place}`, value)
const json = 'content/application~1json/schema'
const answer = `paths/~1a/post/responses/200/${json}`
const refusal = `components/responses/Refused/${json}`

test.each([
  ['a response', answer, [{ method: { of: 'x' }, any: { a: 1 } }], [{ more: 1 }]],
  ['an object within a response', answer, [{ method: {} }], [{ method: { more: 1 } }]],
  ['a shared response', refusal, { success: false, error: { code: 'x' } }, { error: {}, more: 1 }],
  ['an object within a shared response', refusal, { error: { of: 'x' } }, { error: { more: 1 } }],
  ['a webhook', `webhooks/paid/post/requestBody/${json}`, { of: 'x' }, { more: 1 }],
])(
  'in the strict API schema (no undocumented fields), %s may contain only documented fields',
  (_, place, documented, more) => {
    expect(isAsDocumented(place, documented)).toBe(true)
    expect(isAsDocumented(place, more)).toBe(false)
  },
)

test('in the strict API schema (no undocumented fields), each error response may contain only its documented error codes', () => {
  const missing = `paths/~1a/post/responses/404/${json}`
  expect(isAsDocumented(missing, { success: false, error: { code: 'NOT_FOUND' } })).toBe(true)
  expect(isAsDocumented(missing, { success: false, error: { code: 'CONFLICT' } })).toBe(false)
  expect(isAsDocumented(missing, { success: false, error: { code: 'NOT_FOUND', more: 1 } })).toBe(false)
})

test('creating the strict API schema does not change the original document, and requests may still contain undocumented fields', () => {
  expect(isAsDocumented(`paths/~1a/post/requestBody/${json}`, { more: 1 })).toBe(true)
  expect(JSON.stringify(document)).not.toContain('"additionalProperties":false')
})

test('if an example contains a key named `properties`, the example is not treated as part of a schema', () => {
  expect(closedDocument(document).components.schemas.Payment.example).toEqual({ properties: {} })
})
