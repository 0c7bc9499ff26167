import { randomUUID } from 'node:crypto'
import type { ContractData } from '../contract-data.ts'

export const contractData: ContractData = {
  credentials: () => ({ server_key: `SB-Mid-server-${randomUUID()}` }),

  stranger: () => ({ server_key: 'SB-Mid-server-stranger' }),
  nobody: () => ({ server_key: 'nobody' }),

  /** docs.midtrans.com ewallet-ovo: its expiry cannot be set. */
  ownLifeMinutes: channel => (channel === 'ovo' ? 65 / 60 : undefined),

  signed({ body }) {
    const message = JSON.parse(body.toString()) as Record<string, string>
    const rangeOf = (field: string) => {
      const value = message[field] as string
      const start = body.indexOf(`"${field}":"${value}"`) + field.length + 4
      return { start, end: start + value.length }
    }
    return { body: ['order_id', 'status_code', 'gross_amount', 'signature_key'].map(rangeOf), headers: [] }
  },
}
