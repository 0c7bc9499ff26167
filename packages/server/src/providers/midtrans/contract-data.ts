import type { ContractData, SentRequest } from '../contract-data.ts'
import type { ChargeRequest } from './messages.ts'
import { signatureOf } from './signature.ts'

const transactionId = 'be03df7d-2f97-4c8c-a53c-8959f1b67295'
const action = (name: string) => ({ name, method: 'GET', url: `https://api.sandbox.midtrans.com/${name}` })

const read = (charge: SentRequest) => JSON.parse(charge.body) as ChargeRequest

function transaction({ payment_type, transaction_details }: ChargeRequest) {
  return {
    transaction_id: transactionId,
    order_id: transaction_details.order_id,
    gross_amount: `${transaction_details.gross_amount}.00`,
    currency: 'IDR',
    payment_type,
    transaction_time: '2026-11-20 10:04:05',
    fraud_status: 'accept',
  }
}

/** As docs.midtrans.com/reference has them for each payment type. */
function instructions({ payment_type, bank_transfer, cstore }: ChargeRequest): object {
  switch (payment_type) {
    case 'bank_transfer':
      return bank_transfer?.bank === 'permata'
        ? { permata_va_number: '8562000087926752' }
        : { va_numbers: [{ bank: bank_transfer?.bank, va_number: '812785002530231' }] }
    case 'echannel':
      return { biller_code: '70012', bill_key: '778347787706' }
    case 'cstore':
      return { payment_code: '8127740588870520', store: cstore?.store }
    case 'qris':
      return { qr_string: '00020101021226', actions: [action('generate-qr-code')] }
    default:
      return { actions: [action('generate-qr-code'), action('deeplink-redirect')] }
  }
}

export const contractData: ContractData = {
  credentials: { server_key: 'SB-Mid-server-test' },
  otherCredentials: { server_key: 'SB-Mid-server-other' },

  accept(charge) {
    const request = read(charge)
    return JSON.stringify({
      status_code: '201',
      ...transaction(request),
      transaction_status: 'pending',
      ...instructions(request),
    })
  },

  paid(charge, credentials) {
    const message = { status_code: '200', ...transaction(read(charge)), transaction_status: 'settlement' }
    const signature_key = signatureOf(message, credentials.server_key as string)
    return {
      headers: { 'content-type': 'application/json' },
      body: Buffer.from(JSON.stringify({ ...message, signature_key })),
    }
  },

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
