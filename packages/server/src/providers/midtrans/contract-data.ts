import { randomUUID } from 'node:crypto'
import type { ContractData } from '../contract-data.ts'
import { signatureOf } from './signature.ts'

const reference = 'GP261120-7Q4M2ZK8XW'

export const contractData: ContractData = {
  credentials: () => ({ server_key: `SB-Mid-server-${randomUUID()}` }),

  stranger: () => ({ server_key: 'SB-Mid-server-stranger' }),
  unknownCredentials: () => ({ server_key: 'nobody' }),

  deciding: [
    ...['order_id', 'transaction_id', 'status_code', 'transaction_status', 'fraud_status'],
    ...['gross_amount', 'currency'],
  ],

  signer() {
    const server_key = 'SB-Mid-server-test'
    return {
      credentials: { server_key },
      sign(callback) {
        const message = JSON.parse(callback.body.toString())
        const spelling = (value: unknown) =>
          typeof value === 'string' || typeof value === 'number' ? String(value) : ''
        const signature_key = signatureOf(
          {
            order_id: spelling(message.order_id),
            status_code: spelling(message.status_code),
            gross_amount: spelling(message.gross_amount),
          },
          server_key,
        )
        return { ...callback, body: Buffer.from(JSON.stringify({ ...message, signature_key })) }
      },
    }
  },

  // These responses come from docs.midtrans.com get-transaction-status.
  paidAnswers: [
    {
      name: 'inquiry about a virtual account',
      inquiry: { reference, amount: 10_000_000n },
      message: {
        ...{ status_code: '200', status_message: 'Success, transaction is found', transaction_id: 't-1' },
        ...{ order_id: reference, gross_amount: '100000.00', currency: 'IDR', payment_type: 'bank_transfer' },
        ...{ transaction_status: 'settlement', fraud_status: 'accept', merchant_id: 'G1' },
        ...{ transaction_time: '2026-11-20 10:05:00', settlement_time: '2026-11-20 10:05:20' },
        ...{
          va_numbers: [{ bank: 'bca', va_number: '812785002530231' }],
          permata_va_number: '850003072869607',
        },
        ...{ biller_code: '70012', bill_key: '990000000123', payment_code: '2010', store: 'indomaret' },
        ...{ payment_amounts: [], actions: [{ name: 'generate-qr-code', url: 'https://x' }] },
      },
      answer: (_, message) => message,
    },
  ],
  /** OVO payments stay payable for 65 s, and the request cannot change this (docs.midtrans.com ewallet-ovo). */
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
