import { createHash } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { dokuCaller, made } from '../../test/support/doku-merchant.ts'
import { type Received, startReceiver } from '../../test/support/receiver.ts'
import { type Caller, dokuCredentials, register, simulate } from '../../test/support/snap-merchant.ts'
import { type RunningSandbox, startSandbox } from '../server.ts'
import { headerSignature } from './signature.ts'

const SHARED_KEY = 'shared-key'
const older = { ...dokuCredentials, client_id: 'BRN-0210-2', qris_shared_key: SHARED_KEY }

let sandbox: RunningSandbox
let receiver: Awaited<ReturnType<typeof startReceiver>>
let caller: Caller
let olderCaller: Caller

beforeAll(async () => {
  sandbox = await startSandbox({ port: 0, scanMs: 10, retryScale: 0.0000001 })
  receiver = await startReceiver(() => ({ status: 200 }))
  for (const credentials of [dokuCredentials, older])
    await register(sandbox.url, 'doku', credentials, `${receiver.url}/callbacks/2`)
  caller = await dokuCaller(sandbox.url, dokuCredentials)
  olderCaller = await dokuCaller(sandbox.url, older)
})
afterAll(async () => {
  await sandbox.close()
  await receiver.close()
})
beforeEach(() => {
  receiver.received.length = 0
})

async function told(
  by: Caller,
  outcome: string,
  over: object = {},
): Promise<Received & { reference: string }> {
  const { reference } = await made(by, 'qr')
  await simulate(sandbox.url, { payment_code: reference, outcome, ...over })
  return { ...(receiver.received.at(-1) as Received), reference }
}
const isSigned = ({ headers, path: target, text: body }: Received): boolean => {
  const [clientId, requestId, timestamp] = ['client-id', 'request-id', 'request-timestamp'].map(name =>
    String(headers[name]),
  ) as [string, string, string]
  const component = { clientId, requestId, timestamp, target, body }
  return headers.signature === headerSignature(dokuCredentials.secret_key, component)
}

test('a DOKU QR code notification has the non-SNAP headers and fields from recorded notifications', async () => {
  const { reference, ...sent } = await told(caller, 'paid')
  expect(sent.path).toBe('/callbacks/2/v1.0/qr/qr-mpm-notify')
  expect(sent.headers['client-id']).toBe(dokuCredentials.client_id)
  expect(isSigned(sent)).toBe(true)
  expect(sent.body).toMatchObject({
    service: { id: 'QRIS' },
    channel: { id: 'QRIS_DOKU' },
    order: { invoice_number: reference, amount: 11_500 },
    transaction: { status: 'SUCCESS', original_request_id: expect.any(String) },
  })
  expect(receiver.received).toHaveLength(1)
})

test('if a test changes the fields of a QR code notification, its signature stays valid by default', async () => {
  const changed = [
    { currency: 'USD' },
    { status: 'LATER' },
    { unknown_fields: true },
    { bad_signature: true },
  ]
  const sent = []
  for (const over of changed) sent.push(await told(caller, 'paid', over))
  expect(sent.map(isSigned)).toEqual([true, true, true, false])
  expect(sent[0]?.text).toContain('"currency":"USD"')
  expect(sent[1]?.text).toContain('"status":"LATER"')
  expect(sent[2]?.body).toHaveProperty('sandbox_new_object')
})

test.each([
  ['paid', 'SUCCESS', 'S'],
  ['failed', 'FAILED', 'F'],
])(
  'DOKU reports a QR code payment that is %s with the status %s, or %s in the older form',
  async (outcome, status, letter) => {
    expect((await told(caller, outcome)).body).toMatchObject({ transaction: { status } })
    const { path } = await told(olderCaller, outcome)
    expect(new URLSearchParams(path.split('?')[1]).get('TXNSTATUS')).toBe(letter)
  },
)

test('DOKU sends no notification about an expired, cancelled or challenged QR code payment', async () => {
  for (const by of [caller, olderCaller]) {
    for (const outcome of ['expired', 'cancelled', 'challenged']) {
      const { reference } = await made(by, 'qr')
      await simulate(sandbox.url, { payment_code: reference, outcome })
    }
  }
  expect(receiver.received).toEqual([])
})

test("a merchant with a qris_shared_key gets DOKU's older notification, whose WORDS is a hash with this key", async () => {
  const wordsOf = ({ path }: Received) => {
    const fields = new URLSearchParams(path.split('?')[1])
    const hashed = ['ISSUERID', 'TXNDATE', 'MERCHANTPAN', 'INVOICE'].map(name => fields.get(name)).join('')
    const expected = createHash('sha1')
      .update(hashed + SHARED_KEY)
      .digest('hex')
    return { fields, isGenuine: fields.get('WORDS') === expected }
  }
  const { reference, ...sent } = await told(olderCaller, 'paid')
  expect(sent.path).toMatch(/^\/callbacks\/2\/v1.0\/qr\/qr-mpm-notify\?WORDS=/)
  expect(sent.headers).not.toHaveProperty('signature')
  const { fields, isGenuine } = wordsOf(sent)
  expect(isGenuine).toBe(true)
  expect(Object.fromEntries(fields)).toMatchObject({ TRANSACTIONID: reference, AMOUNT: '11500.00' })
  expect(sent.body).toMatchObject({ message: 'Transaction is Success' })
  expect(wordsOf(await told(olderCaller, 'paid', { bad_signature: true })).isGenuine).toBe(false)
  const { path } = await told(olderCaller, 'paid', { unknown_fields: true })
  expect(path).toContain('SANDBOXNEWFIELD')
})
