import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { md5Merchant, registerDuitku } from '../../test/support/duitku-merchant.ts'
import { call, type Json, newOrderId } from '../../test/support/merchant.ts'
import { startReceiver } from '../../test/support/receiver.ts'
import { type RunningSandbox, startSandbox } from '../server.ts'

// Tests the sandbox with Duitku's official client. The client signs with MD5, hard-codes Duitku's host, and reads its
// credentials from a file in the application's directory. The client's callback parser is not tested, because it
// rejects every signed callback.

let sandbox: RunningSandbox
let receiver: Awaited<ReturnType<typeof startReceiver>>
let client: Json
let root: string

beforeAll(async () => {
  sandbox = await startSandbox({ port: 0 })
  receiver = await startReceiver()
  await registerDuitku(sandbox.url, md5Merchant)

  root = mkdtempSync(join(tmpdir(), 'duitku-'))
  mkdirSync(join(root, 'config'))
  const configuration = {
    merchantCode: md5Merchant.merchant_code,
    apiKey: md5Merchant.api_key,
    passport: false,
    callbackUrl: `${receiver.url}/callback`,
    returnUrl: 'https://shop.example/return',
    expiryPeriod: 60,
  }
  writeFileSync(
    join(root, 'config/duitku-configuration.js'),
    `module.exports = ${JSON.stringify(configuration)}`,
  )
  process.env.APP_ROOT_PATH = root
  const load = createRequire(import.meta.url)
  client = load('duitku')
  delete process.env.APP_ROOT_PATH
  // Sends the requests of Duitku's official client library to the sandbox. Only the library's own copy of
  // axios is changed, so other requests are not redirected.
  const axios = createRequire(load.resolve('duitku'))('axios')
  axios.interceptors.request.use((request: Json) => ({
    ...request,
    url: request.url.replace('https://sandbox.duitku.com', `${sandbox.url}/duitku`),
  }))
})
afterAll(async () => {
  await sandbox.close()
  await receiver.close()
  rmSync(root, { recursive: true })
})

/**
 * Converts a callback-based call of Duitku's client library to a promise. The library passes an error as the
 * callback's second argument.
 */
const asked = (ask: (done: (answer: Json, error?: Json) => void) => void): Promise<Json> =>
  new Promise((resolve, reject) => ask((answer, error) => (error ? reject(error) : resolve(answer))))

function transactionOf(merchantOrderId: string, amount = 40_000): Json {
  const transaction = new client.Transaction(amount, 'BC', merchantOrderId, 'Pembayaran untuk Toko Contoh')
  transaction.setEmail('test@example.com')
  transaction.setCustomerVaName('John Doe')
  return transaction
}
const create = (transaction: Json) => asked(done => client.requestTransaction(transaction.get(), done))
const check = (merchantOrderId: string) => asked(done => client.checkTransaction(merchantOrderId, done))

test('Duitku’s official client creates a payment and reads its status', async () => {
  const reference = newOrderId()
  const created = await create(transactionOf(reference))
  expect(created).toMatchObject({ statusCode: '00', amount: '40000', vaNumber: expect.any(String) })
  expect(await check(reference)).toMatchObject({
    merchantOrderId: reference,
    reference: created.reference,
    statusCode: '01',
  })
  await call(`${sandbox.url}/simulate`, { payment_code: reference, outcome: 'paid' }, { serverKey: null })
  expect(await check(reference)).toMatchObject({ statusCode: '00', amount: '40000' })
  expect(receiver.received[0]?.body).toMatchObject({ merchantOrderId: reference, resultCode: '00' })
})

test('Duitku accepts items from its official client if their prices add up to the amount', async () => {
  const transaction = transactionOf(newOrderId())
  transaction.createAnItemDetail('Apel', 1, 15_000)
  transaction.createAnItemDetail('Pisang', 1, 25_000)
  expect(await create(transaction)).toMatchObject({ statusCode: '00', amount: '40000' })
})

test("if the sandbox rejects a request, Duitku's official client receives the reason", async () => {
  await expect(create(transactionOf(newOrderId(), 9_999))).rejects.toMatchObject({
    status: 400,
    reason: 'Minimum Payment 10000 IDR',
  })
  await expect(check('unknown')).rejects.toMatchObject({ status: 400 })
})

test('Duitku’s official client lists the payment methods', async () => {
  const methods = await asked(done => client.getPaymentMethod(10_000, done))
  expect(methods.map(({ paymentMethod }: Json) => paymentMethod)).toContain('BC')
})
