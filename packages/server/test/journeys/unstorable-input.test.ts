// Tests over HTTP that a request is rejected if it contains text that PostgreSQL cannot store.

import { describe, expect, test } from 'vitest'
import { testApp } from '../support/app.ts'
import { managersOf, refusal } from '../support/management-api.ts'

const { demo } = await testApp({ worker: false })
const { owner, client } = await managersOf(demo)

const endpoint = { mode: 'test', url: 'http://127.0.0.1:9/hook' }
const { id } = (await client('POST', '/v1/webhook-endpoints', endpoint)).data

describe.each([
  ['a NUL character', '\0'],
  ['a lone surrogate', '\ud83d'],
])('a request with text that contains %s is rejected', (_, character) => {
  const url = `http://127.0.0.1:9/a${character}b`
  test.each([
    ['the callback URL', client, 'PUT', '/v1/account/webhook', { callback_url: url }, 'callback_url'],
    [
      'the URL of a new webhook endpoint',
      client,
      'POST',
      '/v1/webhook-endpoints',
      { ...endpoint, url },
      'url',
    ],
    ['the URL of a webhook endpoint', client, 'PATCH', `/v1/webhook-endpoints/${id}`, { url }, 'url'],
    [
      'the channel of a fee rule',
      owner,
      'PUT',
      `/v1/tenants/${demo.client.tenant_id}/fee-schedule`,
      { rules: [{ channel: `a${character}b` }] },
      'rules.0.channel',
    ],
  ])(
    'the error for unstorable text in %s names the invalid field',
    async (_, caller, method, path, body, field) => {
      expect(refusal(await caller(method, path, body))).toEqual([
        400,
        'BAD_REQUEST',
        `bad request: ${field}: must be well-formed text without NUL`,
      ])
    },
  )
})
