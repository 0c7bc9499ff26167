// Creates a Midtrans BI-SNAP notification with a valid signature for a test's provider account.

import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import type { CallbackRequest, ProviderAccount } from '../../src/providers/provider.ts'
import { contractData } from '../../src/providers/snap/contract-data.ts'
import type { Credentials } from '../../src/providers/snap/credentials.ts'
import { minify } from '../../src/providers/snap/signature.ts'
import { snap } from '../../src/providers/snap/snap.ts'
import { receive, updatesIn } from './receive-callback.ts'

export const id = '01990000-0000-7000-8000-000000000001'
export const address = `/v1/callbacks/snap/${id}`

const pair = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
})
export const credentials = {
  ...contractData.credentials(),
  provider_public_key: pair.publicKey,
} as Credentials
export const account = (own: Partial<Credentials> = {}): ProviderAccount<Credentials> => ({
  id,
  mode: 'test',
  credentials: { ...credentials, ...own },
  baseUrl: null,
})
export const message = {
  originalReferenceNo: 'A1',
  originalPartnerReferenceNo: 'GP261120-7Q4M2ZK8XW',
  latestTransactionStatus: '00',
  amount: { value: '25000.00', currency: 'IDR' },
}
const receivedAt = new Date('2026-11-20T03:04:05Z')
const timestamp = '2026-11-20T10:04:00+07:00'

export function notified(
  body: object | string,
  {
    path = '/v1.0/qr/qr-mpm-notify',
    signedPath,
    key = pair.privateKey,
    at = timestamp,
  }: { path?: string; signedPath?: string; key?: string; at?: string } = {},
): CallbackRequest {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const hash = minify(Buffer.from(text))
  const signed = `POST:${signedPath ?? path}:${createHash('sha256').update(hash).digest('hex')}:${at}`
  return {
    path: `${address}${path}`,
    headers: {
      'x-timestamp': at,
      'x-signature': sign('sha256', Buffer.from(signed), key).toString('base64'),
      'x-partner-id': 'p',
      'x-external-id': '1',
    },
    body: Buffer.from(text),
    receivedAt,
  }
}
export const factOf = (request: CallbackRequest) => updatesIn(receive(snap, account(), request))[0]?.fact
