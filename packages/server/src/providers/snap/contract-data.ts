import { generateKeyPairSync } from 'node:crypto'
import type { ContractData } from '../contract-data.ts'
import { significant } from './signature.ts'

const newPair = () =>
  generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  })
/** Made once for a test process, and where one is wanted: it takes longer than the tests. */
let pair: ReturnType<typeof newPair> | undefined
const ownPair = () => {
  pair ??= newPair()
  return pair
}

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

  nobody: () => ({ client_id: 'nobody' }),
  // Any key that is not the provider's.
  stranger: () => ({ provider_public_key: ownPair().publicKey }),

  signed: ({ body }) => ({
    body: significant(body).map(start => ({ start, end: start + 1 })),
    headers: ['x-signature', 'x-timestamp'],
  }),
}
