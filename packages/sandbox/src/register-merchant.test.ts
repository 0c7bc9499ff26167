import { createPublicKey, sign, verify } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { closeFakeSandbox, fakeProvider, openFakeSandbox } from '../test/support/fake-provider.ts'
import { call, charge } from '../test/support/merchant.ts'
import { startReceiver } from '../test/support/receiver.ts'
import { registerMerchant } from './register-merchant.ts'
import { type RunningSandbox, startSandbox } from './server.ts'
import { openStore } from './store.ts'

let sandbox: RunningSandbox
let folder: string
let receiver: Awaited<ReturnType<typeof startReceiver>>
beforeAll(async () => {
  receiver = await startReceiver()
  sandbox = await startSandbox({ port: 0, notificationUrl: `${receiver.url}/configured` })
  folder = await mkdtemp(join(tmpdir(), 'sandbox-test-'))
})
afterAll(async () => {
  await sandbox.close()
  await receiver.close()
  await rm(folder, { recursive: true })
})

const register = (body: unknown) => call(`${sandbox.url}/merchants`, body, { serverKey: null })
const midtransMerchant = (serverKey: string, path: string | null) =>
  register({
    provider: 'midtrans',
    credentials: { server_key: serverKey },
    notification_url: path && `${receiver.url}${path}`,
  })

/** Creates an order with the given server key. Returns the paths that received notifications about this order. */
async function pathsNotified(serverKey: string, headers = {}, count = 1): Promise<string[]> {
  receiver.received.length = 0
  await call(`${sandbox.url}/midtrans/v2/charge`, charge(), { serverKey, headers })
  return (await receiver.waitFor(count)).map(one => one.path).sort()
}

test('the sandbox notifies a merchant at the notification address that the merchant registered last', async () => {
  const key = 'SB-Mid-server-registered'
  expect(await midtransMerchant(key, '/mine')).toMatchObject({ status: 200, body: { credentials: {} } })
  expect(await pathsNotified(key)).toEqual(['/mine'])
  expect(await pathsNotified('SB-Mid-server-stranger')).toEqual(['/configured'])
  await midtransMerchant(key, '/moved')
  expect(await pathsNotified(key)).toEqual(['/moved'])
  await midtransMerchant(key, null)
  expect(await pathsNotified(key)).toEqual(['/configured'])
})

test('a notification address in a request replaces the registered address', async () => {
  const key = 'SB-Mid-server-headers'
  await midtransMerchant(key, '/mine')
  const override = { 'x-override-notification': `${receiver.url}/override` }
  expect(await pathsNotified(key, override)).toEqual(['/override'])
  const append = { 'x-append-notification': `${receiver.url}/append` }
  expect(await pathsNotified(key, append, 2)).toEqual(['/append', '/mine'])
})

const good = { provider: 'midtrans', credentials: { server_key: 'SB-Mid-server-x' }, notification_url: null }
test.each([
  ['provider', { ...good, provider: 'nobody' }],
  ['credentials', { ...good, credentials: { server_key: 'password' } }],
  ['credentials', { ...good, credentials: {} }],
  ['credentials.server_key', { ...good, credentials: { server_key: '' } }],
  ['credentials', { ...good, credentials: undefined }],
  ['notification_url', { ...good, notification_url: 'ftp://example.com' }],
  ['body', 'no json'],
])(
  'a merchant registration with an invalid %s returns a 400 error that names the field',
  async (field, body) => {
    const answer = await register(body)
    expect([answer.status, answer.body.field]).toEqual([400, field])
  },
)

test('a registration error does not contain the rejected secret', async () => {
  const { text } = await register({ ...good, credentials: { server_key: 'the-secret' } })
  expect(text).not.toContain('the-secret')
})

test("registering a merchant returns the issued credentials, and all of the merchant's credentials survive a restart", async () => {
  const dataFile = join(folder, 'merchants.db')
  const provider = fakeProvider({
    register: (_sandbox, { key = '' }) => ({ id: key, issued: { callback_token: 'issued' } }),
  })
  const first = openFakeSandbox(provider, dataFile)
  const asked = { provider: 'fake', credentials: { key: 'me' }, notification_url: 'http://merchant.example/' }
  expect(registerMerchant(first, asked)).toEqual({ issued: { callback_token: 'issued' } })
  await closeFakeSandbox(first)
  const second = openFakeSandbox(provider, dataFile)
  expect(second.merchants.find('fake', 'me')).toEqual({
    provider: 'fake',
    id: 'me',
    credentials: { key: 'me', callback_token: 'issued' },
    notificationUrl: 'http://merchant.example/',
  })
  expect(second.merchants.find('other', 'me')).toBeUndefined()
  await closeFakeSandbox(second)
})

test('each simulated provider uses the same key pair after the sandbox restarts', () => {
  const dataFile = join(folder, 'keys.db')
  const first = openStore(dataFile)
  const pair = first.keyPairOf('snap')
  const message = Buffer.from('client|2026-01-01T00:00:00+07:00')
  const signature = sign('sha256', message, pair.privateKey)
  expect(verify('sha256', message, pair.publicKey, signature)).toBe(true)
  expect(createPublicKey(pair.publicKey).asymmetricKeyDetails?.modulusLength).toBe(2048)
  expect(pair.privateKey).toMatch(/^-----BEGIN PRIVATE KEY-----/)
  expect(first.keyPairOf('snap')).toEqual(pair)
  expect(first.keyPairOf('doku').publicKey).not.toBe(pair.publicKey)
  first.close()
  const second = openStore(dataFile)
  expect(second.keyPairOf('snap')).toEqual(pair)
  second.close()
})
