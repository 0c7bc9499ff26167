// Converts between this service's types and Duitku's messages.

import { type MethodData, type MethodDetail, storeNameOf } from '../../payments/method.ts'
import { toRupiah } from '../../values/money.ts'
import { parseAmount, parsePaidAmount, unknownWord } from '../lenient-fields.ts'
import { type AcceptedCharge, type Charge, ProviderError, type ProviderUpdate } from '../provider.ts'
import { listedChannel } from './channels.ts'
import type { Credentials } from './credentials.ts'
import type { Created, CreateRequest, Transaction } from './messages.ts'
import { signatureOf } from './signature.ts'

/**
 * The email address to send if the payer's address is missing or longer than Duitku's 50-character limit. Its
 * domain is reserved (RFC 2606), so no person receives the email.
 */
const NO_EMAIL = 'customer@example.com'
const MOST_EMAIL_CHARS = 50
const MOST_VA_NAME_CHARS = 20
const MOST_DETAILS_CHARS = 255

export function toCreateRequest(order: Charge, credentials: Credentials): CreateRequest {
  const { reference, customer, methodDetail } = order
  const amount = toRupiah(order.amount)
  const { paymentMethod, channel } = listedChannel(methodDetail.type, order.channel)
  return {
    merchantCode: credentials.merchant_code,
    paymentAmount: Number(amount),
    paymentMethod,
    merchantOrderId: reference,
    productDetails: cut(
      order.items.map(({ name }) => name).join(', ') || `Order ${reference}`,
      MOST_DETAILS_CHARS,
    ),
    email: customer.email && customer.email.length <= MOST_EMAIL_CHARS ? customer.email : NO_EMAIL,
    customerVaName: cut(customer.name, MOST_VA_NAME_CHARS) || 'Customer',
    ...(customer.phone && { phoneNumber: customer.phone.slice(0, 50) }),
    callbackUrl: order.callbackUrl,
    // Duitku requires a return URL for every channel. When Duitku redirects the payer's browser there, it
    // adds an unsigned resultCode, which the service ignores.
    returnUrl: order.returnUrl,
    // The expiry period starts when Duitku receives the request, and must not exceed the channel's maximum.
    expiryPeriod: Math.min(order.expiryMinutes, channel.limits.maxExpiryMinutes),
    signature: signatureOf(credentials, [credentials.merchant_code, reference, String(amount)]),
  }
}

const cut = (text: string, most: number): string => text.slice(0, most).toWellFormed().trim()

/**
 * Converts the response to a charge. The response does not contain our order id, so its merchant code and amount are
 * compared with the order.
 */
export function toAccepted(answer: Created, order: Charge, credentials: Credentials): AcceptedCharge {
  const { merchantCode = credentials.merchant_code } = answer
  if (merchantCode !== credentials.merchant_code || parseAmount(answer.amount) !== order.amount)
    throw new ProviderError('unknown', 'the response is for a different order')
  const methodData = toMethodData(answer, order.methodDetail)
  if (!methodData) throw new ProviderError('unknown', 'accepted without payment instructions')
  return { providerPaymentId: answer.reference, methodData }
}

/** Returns a response's payment instructions, or undefined if it has none. */
function toMethodData(answer: Created, detail: MethodDetail): MethodData | undefined {
  const { vaNumber, qrString, paymentUrl, AppUrl, appUrl } = answer
  switch (detail.type) {
    case 'virtual_account':
      return vaNumber ? { type: detail.type, bank: detail.bank, va_number: vaNumber } : undefined
    case 'qris':
      return qrString ? { type: detail.type, qr_string: qrString, qr_image_url: '' } : undefined
    case 'e_wallet':
      return paymentUrl
        ? {
            type: detail.type,
            wallet_type: detail.wallet_type,
            redirect_url: paymentUrl,
            deeplink: AppUrl ?? appUrl ?? '',
          }
        : undefined
    // Duitku also returns the payment codes for stores in `vaNumber`. Its documentation describes this field as "the
    // payment number or virtual account".
    case 'over_the_counter':
      return vaNumber
        ? { type: detail.type, store_name: storeNameOf(detail.store), payment_code: vaNumber }
        : undefined
  }
}

/**
 * Converts the response to a status inquiry to a provider update. The response contains neither a payment
 * time nor payment instructions.
 */
export const toUpdate = (answer: Transaction): ProviderUpdate => ({
  reference: answer.merchantOrderId,
  providerPaymentId: answer.reference,
  fact: factOf(answer),
})

function factOf({ statusCode, amount, reference }: Transaction): ProviderUpdate['fact'] {
  switch (statusCode) {
    case '00': {
      const amountPaid = parsePaidAmount('amount', amount)
      if (amountPaid === 0n) return { type: 'nothing', reason: 'paid 0' }
      // A Duitku transaction is paid at most once, so its reference also serves as the receipt id (the id of
      // the received money).
      return { type: 'paid', amountPaid, receipt: reference }
    }
    case '01':
      return { type: 'pending' }
    // Duitku's newer page calls status 02 "Failed/Expired", and its older page calls it "Canceled".
    case '02':
      return { type: 'closed' }
    default:
      throw unknownWord('statusCode', statusCode)
  }
}
