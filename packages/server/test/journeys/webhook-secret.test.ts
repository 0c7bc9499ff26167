// Tests webhook secret rotation. For some time after a rotation, the previous secret also signs deliveries.

import { createHmac, randomBytes } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { beforeAll, expect, test } from 'vitest'
import { type TestApp, testApp } from '../support/app.ts'
import { type Answer, http, logIn, receiver, until } from '../support/merchant.ts'

let { demo, advance }: TestApp = {} as TestApp
let auth: string

beforeAll(async () => {
  ;({ demo, advance } = await testApp())
  auth = await logIn(demo, demo.client)
})

const call = (method: string, path: string, body?: object) =>
  http(method, demo.base_url + path, { auth, ...(body && { body }) })
const codeOf = ({ status, error }: Answer) => [status, error?.code]
const show = async () => (await call('GET', '/v1/account/webhook')).data

const rotateSecret = (body?: object) => call('POST', '/v1/account/webhook/rotate-secret', body)

/** Moves the clock forward by `hours` and logs in again, because the access token will have expired. */
async function pass(hours: number): Promise<void> {
  advance(hours * 3_600_000)
  auth = await logIn(demo, demo.client)
}

/**
 * Sends a test event and returns which of the given secrets signed its delivery. `all` is true if all signatures of the
 * delivery are from these secrets.
 */
async function signers(
  hook: Awaited<ReturnType<typeof receiver>>,
  secrets: string[],
): Promise<{ verify: boolean[]; all: boolean }> {
  const { data } = await call('POST', '/v1/account/webhook/test')
  const told = await until('the test event arrives', () => hook.hooks.find(({ body }) => body.id === data.id))
  const signatures = (told.headers['webhook-signature'] ?? '').split(' ')
  // Verifies the signature without the library, because the library compares the timestamp with the real clock and
  // the test's clock may be ahead of it.
  const message = `${told.headers['webhook-id']}.${told.headers['webhook-timestamp']}.${told.raw}`
  const verify = secrets.map(secret => {
    const key = Buffer.from(secret.replace('whsec_', ''), 'base64')
    return signatures.includes(`v1,${createHmac('sha256', key).update(message).digest('base64')}`)
  })
  return { verify, all: signatures.length === verify.filter(Boolean).length }
}

test('after a webhook secret is rotated, X-Service-Signature uses the new secret and webhook-signature uses both secrets', async () => {
  const hook = await receiver(demo)
  const rotated = (await rotateSecret()).data
  expect(rotated.secret).not.toBe(hook.secret)
  expect(await show()).toEqual(rotated)
  expect(await signers(hook, [rotated.secret, hook.secret])).toEqual({ verify: [true, true], all: true })
  const { raw, headers } = hook.hooks.at(-1) as (typeof hook.hooks)[number]
  const own = `sha256=${createHmac('sha256', rotated.secret).update(raw).digest('hex')}`
  expect(headers['x-service-signature']).toBe(own)
  const audited = (await call('GET', '/v1/audit-log?limit=2')).data.items[1]
  expect(audited).toMatchObject({
    action: 'webhook.rotate_secret',
    after: { previous_secret_expires_at: rotated.previous_secret_expires_at },
  })
  expect(JSON.stringify(audited)).not.toContain('whsec_')
  await rotateSecret({ revoke_previous: true })
  hook.close()
})

test('after two rotations of a webhook secret, all three secrets still verify a delivery', async () => {
  const hook = await receiver(demo)
  const secrets = [hook.secret, (await rotateSecret()).data.secret, (await rotateSecret()).data.secret]
  await signers(hook, secrets)
  const { raw, headers } = hook.hooks.at(-1) as (typeof hook.hooks)[number]
  for (const secret of secrets) expect(new Webhook(secret).verify(raw, headers)).toEqual(JSON.parse(raw))
  const unknown = `whsec_${randomBytes(32).toString('base64')}`
  expect(() => new Webhook(unknown).verify(raw, headers)).toThrow()
  await rotateSecret({ revoke_previous: true })
  hook.close()
})

test('after a webhook secret is rotated with revoke_previous, no previous secret signs deliveries', async () => {
  const hook = await receiver(demo)
  const old = [hook.secret, (await rotateSecret()).data.secret]
  const { secret, previous_secret_expires_at } = (await rotateSecret({ revoke_previous: true })).data
  expect(previous_secret_expires_at).toBeNull()
  expect(await signers(hook, [secret, ...old])).toEqual({ verify: [true, false, false], all: true })
  expect((await call('GET', '/v1/audit-log?limit=2')).data.items[1]).toMatchObject({
    action: 'webhook.rotate_secret',
    after: { previous_secret_expires_at: null },
  })
  hook.close()
})

test('at most ten previous webhook secrets sign deliveries, and a rotation that would exceed this limit is rejected', async () => {
  const hook = await receiver(demo)
  const secrets = [hook.secret]
  for (let i = 0; i < 10; i++) secrets.push((await rotateSecret()).data.secret)
  const refused = await rotateSecret()
  expect(codeOf(refused)).toEqual([409, 'CONFLICT'])
  expect(refused.error.message).toMatch(
    /^conflict: 10 previous webhook secrets are still active; wait until \d{4}-.*Z, .*revoke_previous/,
  )
  expect(await signers(hook, secrets)).toEqual({ verify: Array(11).fill(true), all: true })
  // Concurrent requests to rotate the webhook secret must also respect the limit of ten previous secrets.
  expect((await rotateSecret({ revoke_previous: true })).status).toBe(200)
  const many = await Promise.all(Array.from({ length: 12 }, () => rotateSecret()))
  expect(many.filter(({ status }) => status === 200)).toHaveLength(10)
  expect((await rotateSecret({ revoke_previous: true })).status).toBe(200)
  hook.close()
})

test.each([['yes'], [1], [null]])(
  'rotating a webhook secret is rejected if revoke_previous is neither true nor false: %j',
  async value => {
    const answer = await rotateSecret({ revoke_previous: value })
    expect(codeOf(answer)).toEqual([400, 'BAD_REQUEST'])
    expect(answer.error.message).toMatch(/^bad request: revoke_previous: /)
  },
)

// This test must be the last one, because it leaves the clock a day ahead.
test('a replaced webhook secret signs deliveries for 24 hours, even if a second rotation follows', async () => {
  const hook = await receiver(demo)
  const secrets = [hook.secret]
  secrets.unshift((await rotateSecret()).data.secret)
  const firstOver = (await show()).previous_secret_expires_at
  await pass(1)
  const rotated = (await rotateSecret()).data
  secrets.unshift(rotated.secret)
  expect(Date.parse(rotated.previous_secret_expires_at)).toBeGreaterThan(Date.parse(firstOver))
  expect(await signers(hook, secrets)).toEqual({ verify: [true, true, true], all: true })

  await pass(23)
  expect(await signers(hook, secrets)).toEqual({ verify: [true, true, false], all: true })
  expect((await show()).previous_secret_expires_at).toBe(rotated.previous_secret_expires_at)

  await pass(1)
  expect(await signers(hook, secrets)).toEqual({ verify: [true, false, false], all: true })
  expect((await show()).previous_secret_expires_at).toBeNull()
  hook.close()
})
