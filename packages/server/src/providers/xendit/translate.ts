// Converts between this service's types and Xendit's v3 messages.

import { type MethodData, type MethodDetail, storeNameOf } from '../../payments/method.ts'
import { mobileNumberOf } from '../../values/mobile-number.ts'
import { type Cents, toRupiah } from '../../values/money.ts'
import { after } from '../../values/time.ts'
import {
  isAbsent,
  parseAmount,
  parsePaidAmount,
  parseText,
  readMessage,
  UnreadableError,
  unknownWord,
} from '../lenient-fields.ts'
import {
  type AcceptedCharge,
  type Charge,
  type Claim,
  type Inquiry,
  ProviderError,
  type ProviderUpdate,
  type Refund,
  toSafeText,
} from '../provider.ts'
import {
  type CreateRequest,
  captured,
  type Payment,
  type PaymentRequest,
  type RefundRequest,
} from './messages.ts'

type Fact = ProviderUpdate['fact']

/**
 * Parses a time such as `2025-02-09T06:50:18.927Z`. Returns undefined if the text is not a time or has no time zone.
 */
export function timeOf(text: string | undefined): Date | undefined {
  const form = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d)$/
  if (text === undefined || !form.test(text)) return undefined
  const at = new Date(text)
  return Number.isNaN(at.getTime()) ? undefined : at
}

export function toCreateRequest(order: Charge): CreateRequest {
  const { name } = order.customer
  return {
    reference_id: order.reference,
    type: requestType(order),
    country: 'ID',
    currency: 'IDR',
    request_amount: Number(toRupiah(order.amount)),
    capture_method: 'AUTOMATIC',
    ...channelPart(order),
    ...(name && { metadata: { customer_name: name.slice(0, 500).toWellFormed() } }),
  }
}

/**
 * Returns the type of a payment request. PAY requests accept one payment, but convenience stores do not support
 * them (docs.xendit.co migrate-direct-per-channel-apis-to-v3). Stores therefore get a REUSABLE_PAYMENT_CODE,
 * which accepts payments until it expires.
 */
const requestType = ({ methodDetail }: Charge): CreateRequest['type'] =>
  methodDetail.type === 'over_the_counter' ? 'REUSABLE_PAYMENT_CODE' : 'PAY'

function channelPart(order: Charge): Pick<CreateRequest, 'channel_code' | 'channel_properties'> {
  const code = order.channel.toUpperCase()
  const expires_at = after(order.startedAt, order.expiryMinutes * 60_000).toISOString()
  switch (order.methodDetail.type) {
    // `expires_at` is always sent, because Xendit would otherwise keep a virtual account open for 31 years.
    case 'virtual_account':
      return {
        channel_code: `${code}_VIRTUAL_ACCOUNT`,
        channel_properties: { display_name: plainName(order.customer.name), expires_at },
      }
    case 'over_the_counter':
      return {
        channel_code: code,
        channel_properties: { payer_name: plainName(order.customer.name), expires_at },
      }
    // A QRIS payment always expires after 48 hours, and the request cannot change this (docs.xendit.co qris).
    case 'qris':
      return { channel_code: code, channel_properties: {} }
    case 'e_wallet': {
      // OVO notifies the payer in the OVO app, so there is no payment page and no return URL is sent.
      if (order.channel === 'ovo') {
        const account_mobile_number = mobileNumber(order.customer.phone)
        return { channel_code: code, channel_properties: { account_mobile_number } }
      }
      const { returnUrl } = order
      return {
        channel_code: code,
        channel_properties: {
          success_return_url: returnUrl,
          failure_return_url: returnUrl,
          cancel_return_url: returnUrl,
        },
      }
    }
  }
}

/**
 * Converts the customer's name to the form that banks and stores can show. Xendit allows up to 50 letters,
 * digits and spaces.
 */
function plainName(name: string): string {
  const plain = name
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .replace(/[^A-Za-z0-9]+/g, ' ')
  return plain.trim().slice(0, 50) || 'Customer'
}

/**
 * Returns the payer's mobile number for an OVO payment. OVO needs it to notify the payer in its app, so the
 * channel's limits require the number.
 */
function mobileNumber(phone: string): string {
  const number = mobileNumberOf(phone)
  if (number === undefined)
    throw new ProviderError('invalid', 'customer_phone: OVO needs the mobile number of the payer')
  return number
}

/** Xendit's `reason` must be one of five values, so the merchant's own reason is sent as metadata. */
export const toRefundRequest = (
  paymentRequestId: string,
  { reference, amount, reason }: Refund,
): RefundRequest => ({
  payment_request_id: paymentRequestId,
  reference_id: reference,
  amount: Number(toRupiah(amount)),
  currency: 'IDR',
  reason: 'REQUESTED_BY_CUSTOMER',
  ...(reason && { metadata: { reason: reason.slice(0, 255).toWellFormed() } }),
})

export function toAccepted(answer: PaymentRequest, order: Charge): AcceptedCharge {
  const isOurs =
    answer.reference_id === order.reference &&
    parseAmount(answer.request_amount) === order.amount &&
    answer.currency === 'IDR'
  if (!isOurs) throw new ProviderError('unknown', 'the response is for a different order')
  // The payment request was created at Xendit but can no longer be paid.
  if (answer.status === 'FAILED')
    throw new ProviderError('declined', toSafeText(answer.failure_code ?? 'the payment failed'))
  const methodData = toMethodData(answer, order.methodDetail)
  if (!methodData) throw new ProviderError('unknown', 'accepted without payment instructions')
  return { providerPaymentId: answer.payment_request_id, methodData }
}

/** Returns the payment instructions in a response, or undefined if the response does not contain any. */
function toMethodData(answer: PaymentRequest, detail: MethodDetail): MethodData | undefined {
  const action = (descriptor: string) => answer.actions.find(each => each.descriptor === descriptor)?.value
  switch (detail.type) {
    case 'virtual_account': {
      const va_number = action('VIRTUAL_ACCOUNT_NUMBER')
      return va_number ? { type: detail.type, bank: detail.bank, va_number } : undefined
    }
    case 'qris': {
      const qr_string = action('QR_STRING')
      return qr_string ? { type: detail.type, qr_string, qr_image_url: '' } : undefined
    }
    case 'e_wallet': {
      const { wallet_type } = detail
      const deeplink = action('DEEPLINK_URL') ?? ''
      const redirect_url = action('WEB_URL') || action('MOBILE_WEB_URL') || deeplink
      // For OVO, Xendit returns no payment page URL, because the payer confirms the payment in the OVO app.
      if (redirect_url === '' && wallet_type.toLowerCase() !== 'ovo') return undefined
      return { type: detail.type, wallet_type, redirect_url, deeplink }
    }
    case 'over_the_counter': {
      const payment_code = action('PAYMENT_CODE')
      return payment_code
        ? { type: detail.type, store_name: storeNameOf(detail.store), payment_code }
        : undefined
    }
  }
}

/**
 * Converts a payment request and the last payment for it into an update of our payment. A successful payment
 * counts as paid even if the request is EXPIRED, because Xendit may receive a payment after the expiry
 * (docs.xendit.co delayed-webhooks). Throws UnreadableError if the data cannot be read.
 */
export function toUpdate(
  request: PaymentRequest,
  last: Payment | undefined,
  { methodDetail, reference }: Pick<Inquiry, 'methodDetail' | 'reference'>,
): ProviderUpdate {
  const methodData = toMethodData(request, methodDetail)
  const fact: Fact = last?.status === 'SUCCEEDED' ? paidBy(last) : requestFact(request)
  return {
    reference,
    providerPaymentId: request.payment_request_id,
    fact: fact.type === 'pending' && methodData ? { ...fact, methodData } : fact,
  }
}

function requestFact(request: PaymentRequest): Fact {
  switch (request.status) {
    case 'ACCEPTING_PAYMENTS':
    case 'REQUIRES_ACTION':
    case 'PENDING':
    case 'AUTHORIZED':
      return { type: 'pending' }
    case 'SUCCEEDED': {
      const { currency, request_amount, latest_payment_id } = request
      return arrival(parsePaidAmount('request_amount', request_amount), currency, {
        receipt: latest_payment_id,
      })
    }
    case 'FAILED':
      return { type: 'failed', reason: toSafeText(request.failure_code ?? 'provider reported FAILED') }
    case 'CANCELED':
      return { type: 'cancelled' }
    case 'EXPIRED':
      return { type: 'expired' }
    default:
      throw unknownWord('status', request.status)
  }
}

/**
 * Converts a payment with the status SUCCEEDED to the fact that it is paid or, if Xendit could not verify the
 * sender, challenged. Throws an UnreadableError if the amount or currency of a paid payment cannot be read.
 */
export function paidBy(payment: Payment): Fact {
  if (!isUnverified(payment.payment_details)) return received(payment)
  const reason = 'the sender could not be verified'
  const claim = claimOf(payment)
  return { type: 'challenged', reason, ...(claim && { claim }) }
}

/**
 * Returns the money that a payment with an unverified sender reports. If the money cannot be read, returns undefined
 * instead of throwing an error, because the message still shows that the payer paid.
 */
function claimOf(payment: Payment): Claim | undefined {
  try {
    const fact = received(payment)
    if (fact.type !== 'paid') return undefined
    const { type: _, ...claim } = fact
    return claim
  } catch (error) {
    if (error instanceof UnreadableError) return undefined
    throw error
  }
}

function received(payment: Payment): Fact {
  const { amount, time } = amountOf(payment)
  return arrival(amount, payment.currency, {
    receipt: payment.payment_id,
    paidAt: timeOf(time) ?? timeOf(payment.updated),
  })
}

/**
 * Returns whether the payment has a sender verification that did not succeed. SENDER_MATCHED is the only documented
 * result after which the payment counts as successful (docs.xendit.co bri-virtual-account). After any other result, the
 * merchant must compare the payer with the customer. Most payments have no sender verification.
 */
function isUnverified(details: unknown): boolean {
  const of = (value: unknown, field: string): unknown =>
    typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[field] : undefined
  const verification = of(details, 'verification_result')
  const sender = of(verification, 'sender_verification')
  if (isAbsent(verification) || (typeof verification === 'object' && isAbsent(sender))) return false
  return parseText(of(sender, 'result')) !== 'SENDER_MATCHED'
}

/**
 * Returns the amount paid: the total of the captures or, if there are no captures, the requested amount. A capture that
 * is listed twice counts once. An invalid capture, or a capture that is listed with two amounts, makes the whole
 * message unreadable.
 */
function amountOf(payment: Payment): { amount: Cents; time?: string | undefined } {
  const { captures: list, request_amount } = payment
  if (isAbsent(list) || (Array.isArray(list) && list.length === 0))
    return { amount: parsePaidAmount('request_amount', request_amount) }
  const { captures } = readMessage(captured, payment)
  const amounts = new Map<string | number, Cents>()
  for (const [index, { capture_id, capture_amount }] of captures.entries()) {
    const key = capture_id ?? index
    const amount = parsePaidAmount('capture_amount', capture_amount)
    if ((amounts.get(key) ?? amount) !== amount)
      throw new UnreadableError('capture_amount cannot be read: a capture is listed with two amounts')
    amounts.set(key, amount)
  }
  const amount = [...amounts.values()].reduce((sum, each) => sum + each)
  return { amount, time: captures.at(-1)?.capture_timestamp }
}

/**
 * Returns the fact `paid`, which reports received money. Returns the fact `nothing` if the amount is 0 or the
 * currency is not IDR. Throws UnreadableError if the currency is missing.
 */
export function arrival(
  amount: Cents,
  currency: string | null,
  { receipt, paidAt }: { receipt: string | null; paidAt?: Date | undefined },
): Fact {
  if (currency === null) throw new UnreadableError('currency cannot be read: it is missing')
  if (currency !== 'IDR' || amount === 0n)
    return { type: 'nothing', reason: toSafeText(`paid ${amount} cents of currency ${currency}`) }
  return {
    type: 'paid',
    amountPaid: amount,
    ...(paidAt && { paidAt }),
    ...(receipt !== null && { receipt }),
  }
}
