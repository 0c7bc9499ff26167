// Checks the types in the SDK's published declarations. This file is compiled but never run.

import { Gapura, type Payment, type WebhookEvent } from '@gapura/sdk'

const gapura = new Gapura({ apiKey: 'gp_test_', baseUrl: 'http://127.0.0.1:8080' })
const order = { amount: 10_000_000, currency: 'IDR' } as const

export async function combinations(): Promise<string[]> {
  // @ts-expect-error this method_detail belongs to another payment method
  await gapura.payments.create({ ...order, method_type: 'virtual_account', method_detail: { type: 'qris' } })
  // @ts-expect-error the detail of a wallet payment does not name the wallet
  await gapura.payments.create({ ...order, method_type: 'e_wallet', method_detail: { type: 'e_wallet' } })
  // @ts-expect-error no payment method has this name
  await gapura.payments.create({ ...order, method_type: 'cheque', method_detail: { type: 'cheque' } })

  const qris = await gapura.payments.create({
    ...order,
    method_type: 'qris',
    method_detail: { type: 'qris' },
  })
  // @ts-expect-error only the detail of a virtual account has this field
  return [qris.method_data.qr_string, qris.method_data.va_number]
}

export function instructions(payment: Payment): string {
  // @ts-expect-error only one of the possible types of method_data has this field
  if (payment.method_data.va_number === '') return ''
  return payment.method_type === 'virtual_account' ? payment.method_data.va_number : payment.method_type
}

export function amountOf(event: WebhookEvent): number {
  // @ts-expect-error a payment that was not paid has no paid amount
  if (event.type === 'payment.expired') return event.data.amount_paid
  return event.type === 'payment.paid' ? event.data.amount_paid : 0
}
