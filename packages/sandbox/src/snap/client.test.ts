import { createRequire } from 'node:module'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Json } from '../../test/support/merchant.ts'
import { startReceiver } from '../../test/support/receiver.ts'
import {
  keys,
  midtransCredentials,
  newReference,
  register,
  simulate,
} from '../../test/support/snap-merchant.ts'
import { type RunningSandbox, startSandbox } from '../server.ts'

// Tests the sandbox with Midtrans' official client, which has three peculiarities. It stores its settings in
// static fields, sends grant_type, and signs the time of its own creation in an unusual format.
const { SnapBi, SnapBiConfig } = createRequire(import.meta.url)('midtrans-client') as Json

let sandbox: RunningSandbox
let receiver: Awaited<ReturnType<typeof startReceiver>>

beforeAll(async () => {
  sandbox = await startSandbox({ port: 0, pendingNotifications: false })
  receiver = await startReceiver()
  const { body } = await register(sandbox.url, 'snap', midtransCredentials, receiver.url)
  Object.assign(SnapBiConfig, {
    SNAP_BI_SANDBOX_BASE_URL: `${sandbox.url}/snap`,
    snapBiClientId: midtransCredentials.client_id,
    snapBiPrivateKey: keys.privateKey,
    snapBiClientSecret: midtransCredentials.client_secret,
    snapBiPartnerId: midtransCredentials.partner_id,
    snapBiChannelId: midtransCredentials.channel_id,
    snapBiPublicKey: body.credentials.provider_public_key,
  })
})
afterAll(async () => {
  await sandbox.close()
  await receiver.close()
})

const amount = { value: '15000.00', currency: 'IDR' }
const { merchant_id: merchantId } = midtransCredentials
const vaBody = (trxId: string) => ({
  partnerServiceId: '   70012',
  customerNo: '0000000000',
  virtualAccountNo: '   700120000000000',
  virtualAccountName: 'Merchant Operation',
  trxId,
  totalAmount: amount,
  additionalInfo: { merchantId, bank: 'bca', flags: { shouldRandomizeVaNumber: true } },
})

test("Midtrans' official client can create a virtual account, read its status and cancel it", async () => {
  const id = newReference()
  const created = await SnapBi.va().withBody(vaBody(id)).createPayment(id)
  expect(created).toMatchObject({ responseCode: '2002700', virtualAccountData: { trxId: id } })
  const { partnerServiceId, customerNo, virtualAccountNo } = created.virtualAccountData
  const account = { partnerServiceId, customerNo, virtualAccountNo, additionalInfo: { merchantId } }
  // Midtrans requires that the X-EXTERNAL-ID of each request about a virtual account equals the account's
  // trxId.
  const status = () =>
    SnapBi.va()
      .withBody({ ...account, inquiryRequestId: id })
      .getStatus(id)
  expect((await status()).virtualAccountData.paymentFlagStatus).toBe('03')
  expect(
    await SnapBi.va()
      .withBody({ ...account, trxId: id })
      .cancel(id),
  ).toMatchObject({ responseCode: '2003100' })
  expect((await status()).virtualAccountData.paymentFlagStatus).toBe('05')
})

test("Midtrans' official client can create a QR code, read its status and cancel it", async () => {
  const id = newReference()
  const body = { partnerReferenceNo: id, merchantId, amount, additionalInfo: { acquirer: 'gopay' } }
  const created = await SnapBi.qris().withBody(body).createPayment(id)
  expect(created).toMatchObject({ responseCode: '2004700', partnerReferenceNo: id })
  const asked = { originalReferenceNo: created.referenceNo, merchantId, serviceCode: '47' }
  expect((await SnapBi.qris().withBody(asked).getStatus(`${id}-s`)).latestTransactionStatus).toBe('03')
  const cancel = { originalReferenceNo: created.referenceNo, merchantId, reason: 'cancel reason' }
  expect(await SnapBi.qris().withBody(cancel).cancel(`${id}-c`)).toMatchObject({ responseCode: '2007700' })
})

test('Midtrans’ official client accepts a genuine notification of a wallet payment and rejects a forged one', async () => {
  const id = newReference()
  const body = {
    partnerReferenceNo: id,
    chargeToken: '',
    merchantId,
    urlParam: { url: 'https://midtrans-test.com/done', type: 'PAY_RETURN', isDeeplink: 'N' },
    validUpTo: new Date(Date.now() + 3_600_000).toISOString(),
    payOptionDetails: [{ payMethod: 'GOPAY', payOption: 'GOPAY_WALLET', transAmount: amount }],
  }
  const created = await SnapBi.directDebit().withBody(body).createPayment(id)
  expect(created).toMatchObject({ responseCode: '2005400', partnerReferenceNo: id })
  await simulate(sandbox.url, { payment_code: id, outcome: 'paid' })
  await simulate(sandbox.url, { payment_code: id, outcome: 'paid', bad_signature: true })
  const told = receiver.received.filter(({ path }) => path === '/v1.0/debit/notify')
  const believed = told.map(({ headers, body: payload }) =>
    SnapBi.notification()
      .withNotificationPayload(payload)
      .withSignature(headers['x-signature'])
      .withTimeStamp(headers['x-timestamp'])
      .withNotificationUrlPath('/v1.0/debit/notify')
      .isWebhookNotificationVerified(),
  )
  expect(believed).toEqual([true, false])
  const asked = { originalExternalId: id, serviceCode: '54' }
  expect((await SnapBi.directDebit().withBody(asked).getStatus(`${id}-s`)).latestTransactionStatus).toBe('00')
})

test('Midtrans’ official client can refund a paid QR code', async () => {
  const id = newReference()
  const body = { partnerReferenceNo: id, merchantId, amount, additionalInfo: { acquirer: 'gopay' } }
  const { referenceNo } = await SnapBi.qris().withBody(body).createPayment(id)
  await simulate(sandbox.url, { payment_code: id, outcome: 'paid' })
  const key = newReference()
  const refund = {
    merchantId,
    originalPartnerReferenceNo: id,
    originalReferenceNo: referenceNo,
    partnerRefundNo: key,
    reason: 'refund reason',
    refundAmount: { value: '100.00', currency: 'IDR' },
    additionalInfo: { foo: 'bar' },
  }
  expect(await SnapBi.qris().withBody(refund).refund(key)).toMatchObject({
    responseCode: '2007800',
    refundAmount: { value: '100.00', currency: 'IDR' },
  })
})

test('Midtrans’ official client receives the error code of a rejected request', async () => {
  const refused = await SnapBi.va()
    .withBody({ ...vaBody(newReference()), partnerServiceId: '1' })
    .createPayment(newReference())
  expect(refused).toMatchObject({ responseCode: '4002701' })
})
