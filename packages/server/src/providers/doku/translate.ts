// Converts between this service's types and the messages of DOKU's non-SNAP API.

import { type MethodData, type MethodDetail, storeNameOf } from '../../payments/method.ts'
import { toRupiah } from '../../values/money.ts'
import { parsePaidAmount, readMessage, UnreadableError, unknownWord } from '../lenient-fields.ts'
import {
  type AcceptedCharge,
  type CallbackUpdate,
  type Charge,
  type MoneyReturn,
  ProviderError,
  type ProviderUpdate,
  toSafeText,
} from '../provider.ts'
import { ofIso } from '../snap/time.ts'
import { vaName } from '../snap/translate.ts'
import { type Created, created, type Identifiers, type Transaction } from './messages.ts'

type Fact = ProviderUpdate['fact']

/**
 * The bank's part of the request path (jokul-php-library src/DOKU/Service). BSI's path still contains the bank's
 * former name, Mandiri Syariah (bsm).
 */
const bankPaths: Record<string, string> = {
  bca: 'bca-virtual-account',
  mandiri: 'mandiri-virtual-account',
  bsi: 'bsm-virtual-account',
  bri: 'bri-virtual-account',
  doku: 'doku-virtual-account',
}
/**
 * The request path for the Alfamart group, from DOKU's convenience-store page. DOKU's client libraries use
 * `alfa-online-to-offline` instead, so an account can override this path.
 */
const ALFA_PATH = 'alfa-virtual-account'
const INDOMARET_PATH = 'indomaret-online-to-offline'

/** Returns a charge's request path, or undefined if the channel uses SNAP. */
export function targetOf(
  { type }: MethodDetail,
  channel: string,
  alfaPath: string = ALFA_PATH,
): string | undefined {
  const storePaths: Record<string, string> = { alfamart: alfaPath, indomaret: INDOMARET_PATH }
  const paths = type === 'virtual_account' ? bankPaths : storePaths
  return Object.hasOwn(paths, channel) ? `/${paths[channel]}/v2/payment-code` : undefined
}

export function toPaymentCodeRequest(order: Charge): object {
  const info = { expired_time: order.expiryMinutes, reusable_status: false }
  return {
    order: { invoice_number: order.reference, amount: Number(toRupiah(order.amount)) },
    ...(order.methodDetail.type === 'virtual_account'
      ? { virtual_account_info: { ...info, info1: order.reference } }
      : { online_to_offline_info: { ...info, info: order.reference } }),
    customer: {
      name: vaName(order.customer.name),
      ...(order.customer.email && { email: order.customer.email }),
    },
    additional_info: { override_notification_url: order.callbackUrl },
  }
}

/**
 * Converts the response to a charge. DOKU issues no order id. It identifies an order by our invoice number and the
 * Request-Id of the charge.
 */
export function toAccepted(answer: unknown, order: Charge): AcceptedCharge {
  const read = readMessage(created, answer)
  if (read.order?.invoice_number !== order.reference)
    throw new ProviderError('unknown', 'the response is for a different order')
  const methodData = toMethodData(read, order.methodDetail)
  // DOKU accepted the charge but returned no payment instructions. A later status inquiry may return them.
  if (!methodData) throw new ProviderError('unknown', 'accepted without payment instructions')
  return { providerPaymentId: order.reference, methodData }
}

/** Returns a message's payment instructions, or undefined if it has none. */
function toMethodData(message: Created | Transaction, detail: MethodDetail): MethodData | undefined {
  const number = message.virtual_account_info?.virtual_account_number
  const code = message.online_to_offline_info?.payment_code
  if (detail.type === 'virtual_account' && number !== undefined)
    return { type: detail.type, bank: detail.bank, va_number: number }
  if (detail.type === 'over_the_counter' && code !== undefined) {
    return { type: detail.type, store_name: storeNameOf(detail.store), payment_code: code }
  }
  return undefined
}

/**
 * Converts DOKU's message to a provider update. If `detail` is given, the function also reads the payment
 * instructions of a pending payment. Throws an UnreadableError if the message cannot be read.
 */
export function toUpdate(message: Transaction, detail?: MethodDetail): CallbackUpdate {
  const { invoice_number: reference } = message.order
  // original_request_id is the charge's Request-Id, which is our reference. For a QRIS payment, it is the X-EXTERNAL-ID
  // of the SNAP charge instead, by which DOKU finds no order.
  const requestId = message.service?.id === 'QRIS' ? undefined : message.transaction.original_request_id
  const providerPaymentId = requestId ?? reference
  if (providerPaymentId === null)
    throw new UnreadableError('order.invoice_number and transaction.original_request_id are missing')
  const isRefunded = message.transaction.status === 'REFUNDED'
  const fact = isRefunded && !detail ? refunded : factOf(message)
  const methodData = fact.type === 'pending' && detail ? toMethodData(message, detail) : undefined
  return {
    reference,
    providerPaymentId,
    ...(isRefunded && { returns: [refund] }),
    fact: methodData ? { type: 'pending', methodData } : fact,
  }
}

const refunded: Fact = { type: 'nothing', reason: 'refunded' }

/**
 * The refund that a message reports. The message contains no refund ID. It also contains no refund amount, because
 * `order.amount` is the amount of the payment.
 */
const refund: MoneyReturn = { kind: 'refund', id: null, amount: null, status: 'succeeded' }

/**
 * Converts a payment status (developers.doku.com check-status-api/non-snap). SUCCESS, EXPIRED and REFUNDED are
 * final. A REFUNDED order was previously paid. FAILED means only that one attempt failed, and the payer may try
 * again.
 */
function factOf(message: Transaction): Fact {
  const { status } = message.transaction
  switch (status) {
    case 'SUCCESS':
    case 'REFUNDED':
      return paidFact(message)
    case 'PENDING':
    case 'TIMEOUT':
    case 'REDIRECT':
    case 'FAILED':
      return { type: 'pending' }
    case 'EXPIRED':
      return { type: 'expired' }
    default:
      throw unknownWord('transaction.status', status)
  }
}

function paidFact({ order, transaction, virtual_account_payment: payment }: Transaction): Fact {
  if (order.currency !== null && order.currency !== 'IDR')
    return { type: 'nothing', reason: toSafeText(`currency ${order.currency}`) }
  const amountPaid = parsePaidAmount('order.amount', order.amount)
  if (amountPaid === 0n) return { type: 'nothing', reason: 'paid 0' }
  const paidAt = ofIso(transaction.date)
  // The receipt ID, which identifies the received money, is the bank's transfer number. Store and e-wallet
  // payments have no receipt ID, because they have no transfer number.
  const receipt =
    payment?.reference_number ?? referenceIn(payment?.identifier) ?? referenceIn(payment?.identifer)
  return { type: 'paid', amountPaid, ...(paidAt && { paidAt }), ...(receipt && { receipt }) }
}

const referenceIn = (identifiers: Identifiers | undefined): string | undefined =>
  identifiers?.find(({ name }) => name === 'REFERENCE')?.value
