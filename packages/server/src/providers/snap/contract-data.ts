import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import type { ContractData } from '../contract-data.ts'
import { endpointOf } from '../provider.ts'
import { minify, significant } from './signature.ts'
import { toWib } from './time.ts'

const newPair = () =>
  generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  })
/** A test key pair. It is created only once, at its first use, because generating keys is slow. */
let pair: ReturnType<typeof newPair> | undefined
const ownPair = () => {
  pair ??= newPair()
  return pair
}

/** The provider's test key pair, created at its first use. */
let theirPair: ReturnType<typeof newPair> | undefined

const reference = 'GP261120-7Q4M2ZK8XW'
const money = { value: '25000.00', currency: 'IDR' }
const order = {
  ...{ responseCode: '2005100', responseMessage: 'Successful', originalReferenceNo: 'A1' },
  ...{
    originalPartnerReferenceNo: reference,
    latestTransactionStatus: '00',
    transactionStatusDesc: 'Success',
  },
  ...{ amount: money, paidTime: '2026-11-20T10:05:00+07:00' },
  additionalInfo: { refundHistory: [], paymentTime: '2026-11-20T10:05:00+07:00' },
}
const account = {
  responseCode: '2002600',
  virtualAccountData: {
    ...{ partnerServiceId: '   70070', customerNo: '123', virtualAccountNo: '   70070123' },
    ...{ inquiryRequestId: reference, trxId: reference, paymentRequestId: 'P1', paidAmount: money },
    ...{ totalAmount: money, paymentFlagStatus: '00', paymentFlagReason: { english: 'Success' } },
    transactionDate: '2026-11-20T10:05:00+07:00',
  },
  additionalInfo: { trxId: reference },
}
const token = { responseCode: '2007300', accessToken: 'token', tokenType: 'Bearer', expiresIn: '900' }
const answer = (path: string, message: unknown) => (path.includes('/access-token/') ? token : message)
const inquiry = { reference, amount: 2_500_000n }

let merchants = 0

export const contractData: ContractData = {
  credentials() {
    const number = ++merchants
    return {
      client_id: `G${100_000_000 + number}-SNAP`,
      client_secret: `client-secret-of-${number}-0123456789abcdef`,
      partner_id: `G${100_000_000 + number}`,
      merchant_id: `G${100_000_000 + number}`,
      channel_id: '12345',
      partner_service_id: String(70_000 + number),
      private_key: ownPair().privateKey,
    }
  },

  sentReference: reference => reference.replaceAll('-', ''),

  unknownCredentials: () => ({ client_id: 'nobody' }),
  // A public key from another key pair. It does not verify any of the provider's signatures.
  stranger: () => ({ provider_public_key: ownPair().publicKey }),

  deciding: [
    ...['trxId', 'originalPartnerReferenceNo', 'originalReferenceNo', 'paymentRequestId', 'virtualAccountNo'],
    ...[
      'inquiryRequestId',
      'responseCode',
      'latestTransactionStatus',
      'paymentFlagStatus',
      'paymentFlagReason',
    ],
    ...['value', 'currency'],
  ],

  signer(genuine) {
    theirPair ??= newPair()
    const { privateKey, publicKey } = theirPair
    const [, merchant_id = 'G1'] = /"merchantId"\s*:\s*"([^"]*)"/.exec(genuine) ?? []
    return {
      credentials: { ...contractData.credentials(), merchant_id, provider_public_key: publicKey },
      sign(callback, { id }) {
        const timestamp = toWib(callback.receivedAt)
        const hash = createHash('sha256').update(minify(callback.body)).digest('hex')
        const text = `POST:${endpointOf({ id }, callback.path)}:${hash}:${timestamp}`
        const signature = sign('sha256', Buffer.from(text), privateKey).toString('base64')
        return {
          ...callback,
          headers: { ...callback.headers, 'x-timestamp': timestamp, 'x-signature': signature },
        }
      },
    }
  },

  // These sample responses come from Midtrans' documentation (docs.midtrans.com get-transaction-status-api and
  // virtual-account-api-bank-transfer).
  paidAnswers: [
    { name: 'inquiry about a virtual account', inquiry, message: account, answer },
    {
      name: 'inquiry about a QRIS payment',
      inquiry: { ...inquiry, methodDetail: { type: 'qris' }, channel: 'qris' },
      ...{ message: order, answer },
    },
    {
      name: 'inquiry about a wallet payment',
      inquiry: { ...inquiry, methodDetail: { type: 'e_wallet', wallet_type: 'GOPAY' }, channel: 'gopay' },
      ...{ message: { ...order, responseCode: '2005500' }, answer },
    },
  ],

  signed: ({ body }) => ({
    body: significant(body).map(start => ({ start, end: start + 1 })),
    headers: ['x-signature', 'x-timestamp'],
  }),
}
