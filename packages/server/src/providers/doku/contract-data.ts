import { generateKeyPairSync, randomUUID } from 'node:crypto'
import type { ContractData } from '../contract-data.ts'
import { endpointOf } from '../provider.ts'
import { significant, transactionSignature } from '../snap/signature.ts'
import { toUtc } from '../snap/time.ts'
import { issueToken } from './issued-token.ts'
import { profile } from './profile.ts'
import { componentOf, signatureOf } from './signature.ts'

/** A private key for tests. It is created only once per process, because key generation is slow. */
let pem: string | undefined
const privateKey = (): string => {
  pem ??= generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({
    type: 'pkcs8',
    format: 'pem',
  }) as string
  return pem
}

let publicPem: string | undefined
const publicKey = (): string => {
  publicPem ??= generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey.export({
    type: 'spki',
    format: 'pem',
  }) as string
  return publicPem
}

const reference = 'GP261120-7Q4M2ZK8XW'
const token = { responseCode: '2007300', accessToken: 'token', tokenType: 'Bearer', expiresIn: 900 }

let merchants = 0

export const contractData: ContractData = {
  credentials() {
    const number = ++merchants
    return {
      client_id: `BRN-${String(number).padStart(4, '0')}-1640168489748`,
      secret_key: `SK-of-${number}-0123456789abcdef`,
      partner_service_id: String(77_000 + number),
      partner_service_id_bni: String(88_000 + number),
      partner_service_id_permata: '1899',
      qris_merchant_id: String(2_000 + number),
      qris_terminal_id: 'K45',
      qris_postal_code: '12190',
      private_key: privateKey(),
    }
  },

  unknownCredentials: () => ({ client_id: 'nobody' }),
  stranger: () => ({ secret_key: 'SK-stranger' }),

  deciding: [
    ...['invoice_number', 'original_request_id', 'status', 'amount', 'currency'],
    // The fields of DOKU's SNAP messages that determine which payment a message is about and what it reports
    // about this payment.
    ...['trxId', 'originalPartnerReferenceNo', 'originalReferenceNo', 'paymentRequestId', 'virtualAccountNo'],
    ...['responseCode', 'latestTransactionStatus', 'paymentFlagStatus', 'value'],
  ],
  protocols: ['snap'],

  signer() {
    const credentials = { ...contractData.credentials(), provider_public_key: publicKey() }
    const { client_id: clientId = '', secret_key = '' } = credentials as Record<string, string>
    const own = { ...credentials, client_id: clientId, secret_key } as Parameters<
      typeof issueToken
    >[0]['credentials']
    return {
      credentials,
      sign(callback, { id }) {
        const { path, body, receivedAt } = callback
        const timestamp = toUtc(receivedAt)
        if (Object.hasOwn(profile.notifications, endpointOf({ id }, path))) {
          const issued = issueToken({ id, credentials: own }, receivedAt)
          const signature = transactionSignature(secret_key, issued, { path, body, timestamp })
          const headers = { authorization: `Bearer ${issued}`, 'x-timestamp': timestamp }
          return { ...callback, headers: { ...headers, 'x-signature': signature } }
        }
        const requestId = randomUUID()
        const component = componentOf({ clientId, requestId, timestamp, target: path, body })
        const headers = { 'client-id': clientId, 'request-id': requestId, 'request-timestamp': timestamp }
        return { ...callback, headers: { ...headers, signature: signatureOf(secret_key, component) } }
      },
    }
  },

  // These sample responses come from DOKU's documentation (developers.doku.com, check-status-api/non-snap and
  // qris).
  paidAnswers: [
    {
      name: 'inquiry about a virtual account',
      inquiry: { reference, amount: 5_000_000n },
      message: {
        ...{
          service: { id: 'VIRTUAL_ACCOUNT' },
          acquirer: { id: 'BSI' },
          channel: { id: 'VIRTUAL_ACCOUNT_BSI' },
        },
        order: { invoice_number: reference, amount: 50_000, currency: 'IDR' },
        virtual_account_info: { virtual_account_number: '1900800000208362' },
        virtual_account_payment: {
          reference_number: '64775',
          identifier: [
            { name: 'REQUEST_ID', value: null },
            { name: 'REFERENCE', value: '64775' },
          ],
        },
        transaction: { status: 'SUCCESS', date: '2026-11-20T03:05:00Z', original_request_id: reference },
      },
      answer: (_, message) => message,
    },
    {
      name: 'inquiry about a QRIS payment',
      inquiry: { reference, amount: 100_000n, methodDetail: { type: 'qris' }, channel: 'qris' },
      message: {
        ...{ responseCode: '2005100', latestTransactionStatus: '00', transactionStatusDesc: 'Success' },
        ...{ paidTime: '2026-11-20T10:05:00+07:00', amount: { value: 1000, currency: 'IDR' } },
        additionalInfo: { issuerId: '93600501', approvalCode: '1hk9vlw79634', issuerName: 'BCAD' },
      },
      answer: (path, message) => (path.includes('/access-token/') ? token : message),
    },
  ],

  signed: ({ body, headers }) =>
    headers.signature === undefined
      ? {
          body: significant(body).map(start => ({ start, end: start + 1 })),
          headers: ['x-signature', 'x-timestamp'],
        }
      : {
          body: [{ start: 0, end: body.length }],
          headers: ['client-id', 'request-id', 'request-timestamp', 'signature'],
        },
}
