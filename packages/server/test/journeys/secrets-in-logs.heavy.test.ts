// Tests that a process prints no secrets to standard output or standard error, even at log level debug or after
// errors.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { http, merchantOf, until } from '../support/merchant.ts'
import { anOrder } from '../support/order.ts'
import { exchange, head } from '../support/raw-http.ts'
import { formsOf, leaked } from '../support/secret-forms.ts'
import { newPlace, type Place, removePlace, type Service, startService } from '../support/service.ts'

const main = join(import.meta.dirname, '../../src/main.ts')

const masterKey = Buffer.alloc(32, 'master key of this test').toString('base64')
const secrets = new Map([
  ['master key', masterKey],
  ['metrics token', 'metrics-token-of-this-test'],
  ['password of the mail server', 'mail/pass+word of this test'],
  ['secret of the webhook about problems', 'whsec_c2VjcmV0IG9mIHRoZSB3ZWJob29rIGFib3V0IHByb2JsZW1z'],
])

let place: Place
let service: Service
beforeAll(async () => {
  place = await newPlace()
  service = await startService(place, {
    GAPURA_LOG_LEVEL: 'debug',
    GAPURA_MASTER_KEY: masterKey,
    GAPURA_METRICS_TOKEN: secrets.get('metrics token') as string,
    // Nothing listens at the address for notices, so every attempt to post a notice fails.
    GAPURA_NOTICE_WEBHOOK_URL: 'http://127.0.0.1:1/alerts',
    GAPURA_NOTICE_WEBHOOK_SECRET: secrets.get('secret of the webhook about problems') as string,
    // Nothing listens at the mail server's address, so every attempt to send an email fails.
    GAPURA_SMTP_URL: `smtp://mailer:${encodeURIComponent(secrets.get('password of the mail server') as string)}@127.0.0.1:1`,
  })
  banner = new Set(
    service
      .output()
      .split('\n')
      .filter(line => !isOfLog(line)),
  )
})
afterAll(async () => {
  await service.stop()
  await removePlace(place)
})
const isOfLog = (line: string) => line.startsWith('{')
/**
 * The lines of the startup message. The tests leave them out of the log, because they deliberately show the
 * demo's API keys to the operator.
 */
let banner: Set<string>
/** Returns the service's standard output and standard error without the startup message. */
const log = () =>
  service
    .output()
    .split('\n')
    .filter(line => !banner.has(line))
    .join('\n')

test("this file's leak check detects a secret in every encoding and at every position", () => {
  const secret = 'gp_test_of?this/test+'
  for (const around of ['', 'a', 'ab', 'abc'])
    for (const text of [
      `${around}${secret}`,
      Buffer.from(`${around}${secret}${around}`).toString('base64'),
      Buffer.from(`${around}${secret}${around}`).toString('base64url'),
      Buffer.from(`${around}${secret}`).toString('hex'),
      `?x=${encodeURIComponent(secret)}`,
      JSON.stringify({ secret }),
    ])
      expect(leaked(text, [['it', secret]]), text).toEqual(['it'])
  expect(leaked('nothing', [['it', secret]])).toEqual([])
  expect(formsOf(secret).every(form => form.length > 8)).toBe(true)
})

test('the log contains no secrets that callers sent in a wrong field or in a request that failed', async () => {
  const { demo } = service
  const { base_url } = demo
  const key = demo.client.test_key
  secrets
    .set('API key', key)
    .set('password', demo.client.password)
    .set('password of nobody', 'a password of nobody')

  // Sends secrets in places from which they could get into the log: the path, the query, unused headers and
  // malformed bodies.
  await fetch(`${base_url}/v1/${key}`)
  await fetch(`${base_url}/docs/${key}`)
  await fetch(`${base_url}/v1/active-methods?api_key=${key}`)
  await fetch(`${base_url}/trpc/${key}?input=${encodeURIComponent(JSON.stringify({ key }))}`)
  await fetch(`${base_url}/v1/active-methods`, { headers: { authorization: key, 'x-api-key': key } })
  await fetch(`${base_url}/v1/active-methods`, { headers: { authorization: `Bearer ${key}` } })
  await fetch(`${base_url}/metrics`, { headers: { authorization: 'Bearer a password of nobody' } })
  await exchange(base_url, `${key} / HTTP/1.1\r\n\r\n`)
  await exchange(
    base_url,
    head('GET /v1/nothing HTTP/1.1', `X-Request-Id: ${Buffer.from(key).toString('base64')}=`),
  )
  for (const raw of [
    `{"password":"${demo.client.password}"`,
    `{"password":"${demo.client.password}","password":1}`,
  ])
    await http('POST', `${base_url}/v1/auth/login`, { raw })
  for (const password of [demo.client.password, 'a password of nobody'])
    await http('POST', `${base_url}/v1/auth/login`, { body: { email: demo.client.email, password } })
  await http('POST', `${base_url}/v1/auth/refresh`, { body: { refresh_token: 'a password of nobody' } })

  // In addition to secrets, the log must not contain customer data. This applies whether the provider accepts the
  // payment, rejects it, or is unavailable.
  const customer = { customer_email: 'payer.of.this.test@example.com', customer_phone: '081299887766' }
  for (const [name, value] of Object.entries(customer)) secrets.set(name, value)
  secrets.set('customer_name', 'Siti of this test')
  const merchant = merchantOf(demo)
  for (const steer of ['', ' SANDBOX REJECT', ' SANDBOX DOWN'])
    await merchant.create({ ...customer, customer_name: `Siti of this test${steer}` })
  await merchant.call('POST', '/v1/payments/create', {
    body: anOrder({ ...customer, customer_name: 'Siti of this test', amount: -1 }),
    headers: { 'x-idempotency-key': key },
  })

  await http('POST', `${base_url}/v1/auth/password-reset/request`, {
    body: { tenant_id: demo.client.tenant_id, email: demo.client.email },
  })
  await until('the connection to the mail server fails', async () => /ECONNREFUSED/.test(log()))
  expect(leaked(log(), secrets)).toEqual([])
})

test.each([
  [
    'on a port without a listener',
    'postgres://gapura:data/base+word@127.0.0.1:1/gapura'.replace(
      'data/base+word',
      encodeURIComponent('data/base+word'),
    ),
  ],
  ['with an invalid URL', 'postgres://gapura:data/base+word@127.0.0.1:port/gapura'],
  ['with a badly encoded password', 'postgres://gapura:data/base+word%ZZ@127.0.0.1:1/gapura'],
])('a process that cannot connect to a database %s does not log the password', async (_, url) => {
  const child = spawn(process.execPath, [main], {
    env: {
      ...process.env,
      DATABASE_URL: url,
      GAPURA_MASTER_KEY: masterKey,
      GAPURA_LOG_LEVEL: 'debug',
      PORT: '0',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', chunk => (output += chunk))
  // After the event `exit`, some of the output may not have been read yet.
  const [code] = await once(child, 'close')
  expect(code).toBe(1)
  expect(output).toMatch(/^gapura: /m)
  expect(
    leaked(output, [
      ['password', 'data/base+word'],
      ['password', 'base+word'],
      ['master key', masterKey],
    ]),
  ).toEqual([])
})
