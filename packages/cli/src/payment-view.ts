import type { Payment, PaymentAttempt, TimelineEntry } from '@gapura/sdk'
import type { Cli } from './cli.ts'
import {
  type Column,
  type Facts,
  printFacts,
  printJson,
  printLines,
  rupiah,
  shortTime,
  time,
} from './output.ts'
import { qrLines } from './qr-code.ts'

export const paymentColumns: Column<Payment>[] = [
  { title: 'CODE', value: payment => payment.payment_code },
  { title: 'METHOD', value: payment => shortMethod(payment.method_data), cut: true },
  { title: 'PROVIDER', value: payment => payment.provider },
  { title: 'STATUS', value: payment => payment.status },
  { title: 'AMOUNT', value: payment => rupiah(payment.amount), right: true },
  { title: 'CUSTOMER', value: payment => payment.customer_name, cut: true, extra: true },
  { title: 'CREATED', value: payment => shortTime(payment.created_at), extra: true },
  { title: 'ID', value: payment => payment.id, extra: true },
]

export const timelineColumns: Column<TimelineEntry>[] = [
  { title: 'AT', value: entry => shortTime(entry.at) },
  { title: 'FROM', value: entry => entry.from ?? '' },
  { title: 'TO', value: entry => entry.to },
  { title: 'BY', value: entry => entry.cause },
  { title: 'DETAIL', value: entry => entry.detail ?? '', cut: true, extra: true },
]

export const attemptColumns: Column<PaymentAttempt>[] = [
  { title: 'ATTEMPT', value: attempt => String(attempt.number), right: true },
  { title: 'PROVIDER', value: attempt => attempt.provider },
  { title: 'REFERENCE', value: attempt => attempt.reference },
  { title: 'OUTCOME', value: attempt => attempt.outcome },
  { title: 'STARTED', value: attempt => shortTime(attempt.started_at) },
  { title: 'REASON', value: attempt => attempt.reason ?? '', cut: true, extra: true },
]

export function showPayment(cli: Cli, payment: Payment): void {
  if (cli.json) {
    printJson(cli, payment)
    return
  }
  const payable = payment.status === 'pending'
  const deadline = payable ? `, to be paid by ${time(payment.expires_at)}` : ''
  printFacts(
    cli,
    `${rupiah(payment.amount)} is ${payment.status}${deadline}`,
    payable ? callouts(payment.method_data) : [],
    [
      ['Payment', payment.id],
      ['Code', payment.payment_code],
      ['Mode', payment.mode],
      ['Method', methodOf(payment.method_data)],
      ['Paid', payment.amount_paid === null ? '' : rupiah(payment.amount_paid)],
      ['Paid at', payment.paid_at === null ? '' : time(payment.paid_at)],
      ['Reason', payment.failure_reason ?? ''],
      [
        'Customer',
        [payment.customer_name, payment.customer_email, payment.customer_phone].filter(Boolean).join(', '),
      ],
      ['Provider', `${payment.provider} ${payment.provider_payment_id}`],
      ['Created', time(payment.created_at)],
      ['Idempotency key', payment.idempotency_key],
    ],
  )
  if (!payable || payment.method_data.type !== 'qris') return
  const code = qrLines(cli, payment.method_data.qr_string)
  if (code.length > 0) printLines(cli, ['', ...code])
}

/** Returns the payment instructions for the payer, or a note that they are unavailable. */
function callouts(method: Payment['method_data']): Facts {
  // At some providers, OVO has no payment page. The payer gets a request to confirm in the OVO app, and the redirect
  // URL is the service's status page. Providers cancel the request after 54 to 55 seconds, but the payment stays
  // pending for 2 minutes.
  const isInOvo =
    method.type === 'e_wallet' &&
    method.wallet_type.toUpperCase() === 'OVO' &&
    /^$|\/return\/GP[^/]+$/.test(method.redirect_url)
  if (isInOvo)
    return [
      [
        'Ask the payer to',
        'confirm in the OVO app within 2 minutes, preferably right away: the request can expire after 55 seconds',
      ],
    ]
  const given = instructions(method).filter(([, value]) => value !== '')
  return given.length > 0
    ? given
    : [['The payment instructions are not available', 'cancel this payment and create a new payment']]
}

/**
 * Returns the account number, payment code or links with which the payer pays. A value that the provider did not
 * return is empty.
 */
function instructions(method: Payment['method_data']): Facts {
  switch (method.type) {
    case 'virtual_account':
      return [[`Transfer to this virtual account at ${method.bank.toUpperCase()}`, method.va_number]]
    case 'qris':
      return [
        ['Scan the QR code at', method.qr_image_url],
        ['Or generate the QR code from this text', method.qr_string],
      ]
    case 'e_wallet':
      return [
        [`Pay with ${method.wallet_type.toUpperCase()} at`, method.redirect_url],
        ['On the phone', method.deeplink === method.redirect_url ? '' : method.deeplink],
      ]
    case 'over_the_counter':
      return [[`Pay at ${method.store_name} with this code`, method.payment_code]]
  }
}

/** The payment method and its channel, in a form short enough for a list: `BCA VA`, `QRIS`, `OVO`, `Alfamart`. */
function shortMethod(method: Payment['method_data']): string {
  switch (method.type) {
    case 'virtual_account':
      return `${method.bank.toUpperCase()} VA`
    case 'qris':
      return 'QRIS'
    case 'e_wallet':
      return method.wallet_type.toUpperCase()
    case 'over_the_counter':
      return method.store_name
  }
}

function methodOf(method: Payment['method_data']): string {
  switch (method.type) {
    case 'virtual_account':
      return `${method.type} ${method.bank}`
    case 'qris':
      return method.type
    case 'e_wallet':
      return `${method.type} ${method.wallet_type}`
    case 'over_the_counter':
      return `${method.type} ${method.store_name}`
  }
}
