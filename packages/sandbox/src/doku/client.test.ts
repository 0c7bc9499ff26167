import { createRequire } from 'node:module'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { idr } from '../../test/support/doku-merchant.ts'
import type { Json } from '../../test/support/merchant.ts'
import { startReceiver } from '../../test/support/receiver.ts'
import {
  dokuCredentials,
  keys,
  newReference,
  register,
  simulate,
  wibNow,
} from '../../test/support/snap-merchant.ts'
import { type RunningSandbox, startSandbox } from '../server.ts'

// Tests the sandbox with DOKU's official client. The client supports only SNAP, the Indonesian standard for payment
// APIs. It has no types and stores its host in a static field.
const load = createRequire(import.meta.url)
const library = (path: string): Json => load(`doku-nodejs-library/${path}`)
const { Snap } = library('index.js')
const Config = library('_commons/config.js')
const CreateVa = library('_models/createVaRequestDto.js')
const AdditionalInfo = library('_models/additionalInfo.js')
const TotalAmount = library('_models/totalAmount.js')
const VirtualAccountConfig = library('_models/virtualAccountConfig.js')
const CheckStatusVa = library('_models/checkStatusVARequestDTO.js')
const DeleteVa = library('_models/deleteVaRequestDTO.js')
const PaymentJumpApp = library('_models/paymentJumpAppRequestDTO.js')
const RefundRequest = library('_models/refundRequestDTO.js')
const CheckStatusDirectDebit = library('_models/checkStatusDirectDebitRequestDTO.js')

let sandbox: RunningSandbox
let client: Json
let receiver: Awaited<ReturnType<typeof startReceiver>>
const issued: string[] = []

beforeAll(async () => {
  sandbox = await startSandbox({ port: 0 })
  // The merchant's test server uses DOKU's client, too: to verify the token request, issue the token and verify the
  // notification.
  receiver = await startReceiver(({ path, headers }) => {
    if (!path.endsWith('/access-token/b2b')) return { status: 200 }
    const asked = { get: (name: string) => headers[name] }
    const { body } = client.validateSignatureAndGenerateToken(asked)
    if (body.accessToken) issued.push(body.accessToken)
    return { status: body.accessToken ? 200 : 401, body: JSON.stringify(body) }
  })
  const registered = await register(sandbox.url, 'doku', dokuCredentials, receiver.url)
  Config.CORE_SANDBOX_BASE_URL = `${sandbox.url}/doku`
  client = new Snap({
    isProduction: false,
    privateKey: keys.privateKey,
    publicKey: keys.publicKey,
    dokuPublicKey: registered.body.credentials.provider_public_key,
    clientID: dokuCredentials.client_id,
    secretKey: dokuCredentials.secret_key,
    issuer: 'gapura',
  })
  await client.getTokenB2B()
})
afterAll(async () => {
  await sandbox.close()
  await receiver.close()
})

let customers = 0

function createVa(trxId: string, customerNo: string) {
  return new CreateVa(
    '   77777',
    customerNo,
    `   77777${customerNo}`,
    'Toru Yamashita',
    'toru@example.com',
    '6281828384858',
    trxId,
    new TotalAmount('11500.00', 'IDR'),
    new AdditionalInfo('VIRTUAL_ACCOUNT_BRI', new VirtualAccountConfig(false)),
    'C',
    // The validation rules in DOKU's Go library allow only the UTC offset +07:00, so the sandbox accepts no other
    // offset.
    wibNow(86_400_000),
    // The test passes a list of items, because DOKU's client library rejects its own default value for this
    // list.
    [{ english: 'Shoes', indonesia: 'Sepatu' }],
  )
}

function nextCustomerNo(): string {
  customers += 1
  return String(customers).padStart(13, '0')
}

test("DOKU's official client can create a virtual account, read its status and delete it", async () => {
  const [trxId, customerNo] = [newReference(), nextCustomerNo()]
  const created = await client.createVa(createVa(trxId, customerNo))
  expect(created).toMatchObject({ responseCode: '2002700', virtualAccountData: { trxId, customerNo } })
  const account = ['   77777', customerNo, `   77777${customerNo}`]
  const status = await client.checkStatusVa(new CheckStatusVa(...account, null, null, {}))
  expect(status).toMatchObject({
    responseCode: '2002600',
    virtualAccountData: { paymentFlagReason: { english: 'Pending', indonesia: 'Tertunda' } },
  })
  const deleted = await client.deletePaymentCode(new DeleteVa(...account, trxId, 'VIRTUAL_ACCOUNT_BRI'))
  expect(deleted).toMatchObject({ responseCode: '2003100' })
})

test("DOKU's official client can start a wallet payment", async () => {
  const id = newReference()
  const request = new PaymentJumpApp(
    id,
    { value: '11500.00', currency: 'IDR' },
    [{ url: 'https://shop.example/done', type: 'PAY_RETURN', isDeepLink: 'N' }],
    new Date(Date.now() + 3_600_000).toISOString(),
    'app',
    { channel: 'EMONEY_DANA_SNAP', orderTitle: 'Shoes' },
  )
  const created = await client.doPaymentJumpApp(request, '127.000.0.001', 'device')
  expect(created).toMatchObject({ responseCode: '2005400', partnerReferenceNo: id })
})

test('DOKU’s official client receives the error code of a rejected request', async () => {
  const [trxId, customerNo] = [newReference(), nextCustomerNo()]
  await client.createVa(createVa(trxId, customerNo))
  const again = client.createVa(createVa(trxId, nextCustomerNo()))
  await expect(again).rejects.toMatchObject({ response: { data: { responseCode: '4092701' } } })
})

test("DOKU's official client issues a token for a notification and accepts the notification's signature", async () => {
  const trxId = newReference()
  await client.createVa(createVa(trxId, nextCustomerNo()))
  await simulate(sandbox.url, { payment_code: trxId, outcome: 'paid' })
  await simulate(sandbox.url, { payment_code: trxId, outcome: 'paid', bad_signature: true })
  const told = receiver.received.filter(({ path }) => path === '/v1/transfer-va/payment')
  expect(told.map(({ headers }) => headers.authorization)).toEqual(issued.map(token => `Bearer ${token}`))
  const believed = told.map(({ headers, body, path }, index) => {
    // DOKU's client accepts a notification only with the token that it stored last. The test therefore first stores the
    // token of this notification in the client.
    const verifier = Object.assign(Object.create(Object.getPrototypeOf(client)), client, {
      tokenB2B: issued[index],
    })
    return verifier.validateSymmetricSignature({
      get: (name: string) => headers[name],
      body,
      route: { path },
    })
  })
  expect(believed).toEqual([true, false])
  expect(client.validateTokenB2B(issued[0])).toBeTruthy()
})

test("a status inquiry by DOKU's official client returns the wallet refund that the client made before", async () => {
  const id = newReference()
  const channel = 'EMONEY_DANA_SNAP'
  const payment = new PaymentJumpApp(
    id,
    idr('11500.00'),
    [{ url: 'https://shop.example/done', type: 'PAY_RETURN', isDeepLink: 'N' }],
    new Date(Date.now() + 3_600_000).toISOString(),
    'app',
    { channel, orderTitle: 'Shoes' },
  )
  await client.doPaymentJumpApp(payment, '127.000.0.001', 'device')
  await simulate(sandbox.url, { payment_code: id, outcome: 'paid' })
  const refund = new RefundRequest(id, idr('1500.00'), `${id}-R1`, undefined, 'one item', { channel })
  const made = await client.doRefund(refund, '', '127.000.0.001', 'device')
  expect(made).toMatchObject({ responseCode: '2000700', partnerRefundNo: `${id}-R1` })
  const asked = new CheckStatusDirectDebit(id, null, null, '55', null, null, null, null, null, { channel })
  expect(await client.doCheckStatus(asked)).toMatchObject({
    refundHistory: [{ partnerReferenceNo: `${id}-R1`, refundAmount: idr('1500.00'), refundStatus: '00' }],
  })
})
