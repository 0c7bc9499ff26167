// Tests that a request with the wrong method for an existing path gets a different error than a request for
// an unknown path.

import { expect, test } from 'vitest'
import { testApp } from '../support/app.ts'
import { refusal } from '../support/management-api.ts'
import { http } from '../support/merchant.ts'

const { demo } = await testApp({ worker: false })

test.each([
  ['POST', '/healthz', 'GET, HEAD'],
  ['DELETE', '/readyz', 'GET, HEAD'],
  ['POST', '/openapi.json', 'GET, HEAD'],
  ['PUT', '/.well-known/jwks.json', 'GET, HEAD'],
  ['POST', '/docs/payments', 'GET, HEAD'],
  ['OPTIONS', '/dashboard', 'GET, HEAD'],
  ['PATCH', '/v1/payments/none/cancel', 'POST'],
  ['PUT', '/v1/payments', 'GET, HEAD'],
  ['POST', '/', 'GET, HEAD'],
  ['GET', '/v1/payments/create', 'POST'],
])(
  'the request %s %s gets a 405 response with the methods that the path allows',
  async (method, path, allow) => {
    const answer = await http(method, demo.base_url + path)
    expect([...refusal(answer), answer.headers.get('allow')]).toEqual([
      405,
      'METHOD_NOT_ALLOWED',
      `method not allowed: ${path} does not support ${method}; use ${allow}`,
      allow,
    ])
  },
)

test.each([
  ['POST', '/health'],
  ['GET', '/.well-known/none'],
])('%s %s returns a 404, because the path does not exist', async (method, path) => {
  const answer = await http(method, demo.base_url + path)
  expect([...refusal(answer), answer.headers.get('allow')]).toEqual([
    404,
    'NOT_FOUND',
    `not found: route ${path} not found`,
    null,
  ])
})
