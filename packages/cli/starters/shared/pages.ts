import type { Payment } from '@gapura/sdk'
import { isTest } from './payments.ts'
import { isPaid } from './shop.ts'

const page = (body: string): string => `<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Shop</title>${body}</html>`

export const shopPage = (): string =>
  page('<h1>One book</h1><form method="post" action="/orders"><button>Buy for Rp100,000</button></form>')

/**
 * Renders the payment instructions. Once the payment's webhook has been processed, renders a confirmation
 * instead.
 */
export function orderPage({ id, payment_code, method_data }: Payment): string {
  if (isPaid(payment_code)) return page(`<h1>Thank you!</h1><p>Payment ${payment_code} is paid.</p>`)
  const account = 'va_number' in method_data ? method_data.va_number : ''
  const pay = `<form method="post" action="/orders/${id}/pay"><button>Pay in the sandbox</button></form>`
  return page(`<meta http-equiv="refresh" content="2"><h1>Transfer Rp100,000</h1>
<p>BCA virtual account: <strong>${account}</strong></p>${isTest ? pay : ''}`)
}
