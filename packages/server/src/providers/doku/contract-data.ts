import { generateKeyPairSync } from 'node:crypto'
import type { ContractData } from '../contract-data.ts'
import { significant } from '../snap/signature.ts'

/** Made once for a test process: it takes longer than the tests. */
let pem: string | undefined
const privateKey = (): string => {
  pem ??= generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({
    type: 'pkcs8',
    format: 'pem',
  }) as string
  return pem
}

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

  nobody: () => ({ client_id: 'nobody' }),
  stranger: () => ({ secret_key: 'SK-stranger' }),

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
