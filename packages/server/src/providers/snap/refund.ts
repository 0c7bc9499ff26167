// Requests refunds through SNAP, interprets the response codes and inquires about refunds. NOTES.md lists the
// sources for the response codes.

import { parseAmount, readMessage } from '../lenient-fields.ts'
import { ProviderError, type Refund, type RefundInquiryResult } from '../provider.ts'
import type { RefundOutcome } from '../refund.ts'
import {
  beforeRefund,
  findRefund,
  OTHER_AMOUNT,
  outcomeOfRefund,
  refusedRefund,
  resultOfRefundInquiry,
  unknownRefund,
} from '../refund-outcome.ts'
import { callSnap, freshExternalIds, isSuccess, type SnapAnswer, type SnapCall } from './client.ts'
import { inquireBySnap } from './inquire.ts'
import { qrApproval, refundAnswer } from './messages.ts'
import type { SnapAccount } from './profile.ts'
import { queryQrBody, refundBody } from './translate.ts'

/** Requests a refund of a QRIS or e-wallet payment. */
export function refundBySnap(account: SnapAccount, refund: Refund): Promise<RefundOutcome> {
  return outcomeOfRefund(refund, async () => {
    const { refunds } = account.profile
    const request = await requestOf(account, refund)
    const externalIds = refunds.externalIds(refund.reference)
    const headers = refunds.headers(refund)
    return outcomeOf(await callSnap(account, { ...request, purpose: 'charge', externalIds, headers }), refund)
  })
}

async function requestOf(account: SnapAccount, refund: Refund): Promise<Pick<SnapCall, 'path' | 'body'>> {
  const { paths, refunds } = account.profile
  const common = refundBody(account, refund)
  switch (refund.order.methodDetail.type) {
    case 'e_wallet': {
      const body = { ...common, ...refunds.wallet(refund, account) }
      return { path: paths.refundWallet, body: () => body }
    }
    case 'qris': {
      const approvalCode = refunds.needsApprovalCode
        ? await beforeRefund(fetchApprovalCode(account, refund))
        : ''
      const body = { ...common, ...refunds.qr(refund, account, approvalCode) }
      return { path: paths.refundQr, body: () => body }
    }
    default:
      throw new ProviderError('invalid', 'SNAP refunds only QRIS and e-wallet payments')
  }
}

async function fetchApprovalCode(account: SnapAccount, { order }: Refund): Promise<string> {
  const { paths, toWire } = account.profile
  const body = () => queryQrBody(account, order, toWire(order.reference))
  const call: SnapCall = { path: paths.queryQr, externalIds: freshExternalIds(), body, purpose: 'inquiry' }
  const answer = await callSnap(account, call)
  if (!isSuccess(answer)) throw new ProviderError('unavailable', answer.words || `answered ${answer.status}`)
  return readMessage(qrApproval, answer.json).additionalInfo.approvalCode
}

/**
 * The response codes for which an acquirer documents that no refund was made. Each entry consists of the
 * code's HTTP status and case code, without the service code. After any other code, such as 409 (duplicate)
 * or 5xx, the refund's outcome is unknown.
 */
const refusals: ReadonlySet<string> = new Set([
  ...['40000', '40001', '40002', '40100', '40101'],
  // These four codes mean, in this order: amount limit exceeded, insufficient funds, transaction not
  // permitted, account limit exceeded.
  ...['40302', '40314', '40315', '40323'],
  // The meanings of the next three codes, in the same order: the order's status does not allow a refund, the order was
  // not found, the refund exceeds the payment's amount.
  ...['40400', '40401', '40413'],
  // The refund window has passed, or refunds are not allowed at this time of day.
  '40501',
])

/**
 * The service code for a QRIS refund. A 405 response with the case code 01 means that the refund window has passed, but
 * only with this service code.
 */
const QR_REFUND = '78'

function outcomeOf(answer: SnapAnswer, refund: Refund): RefundOutcome {
  const words = answer.words || `answered ${answer.code ?? answer.status}`
  const read = refundAnswer.safeParse(answer.json)
  if (!read.success) return unknownRefund(words)
  const { responseCode } = read.data
  const [http, which] = [responseCode.slice(0, 3), responseCode.slice(5)]
  // If the response code contradicts the HTTP status, the response may come from a proxy. Such a response
  // does not show whether the acquirer made the refund.
  if (answer.status !== 200 && http !== String(answer.status)) return unknownRefund(words)
  if (http === '200' || http === '202') return accepted(read.data, refund, words)
  if (!refusals.has(http + which)) return unknownRefund(words)
  const isNotNow = http === '405' && responseCode.slice(3, 5) !== QR_REFUND
  // Midtrans rejects refunds for some seconds after the payment (docs.midtrans.com refund-api, error 2007),
  // so a later retry may succeed.
  return refusedRefund(words, isNotNow || /payment is in progress/i.test(words))
}

type Accepted = ReturnType<typeof refundAnswer.parse>

/**
 * Converts the response to an accepted refund request to the refund's outcome. The code 202 means that the
 * refund is in progress.
 */
function accepted(answer: Accepted, { reference, amount }: Refund, words: string): RefundOutcome {
  const { responseCode, partnerRefundNo, refundAmount: money } = answer
  if (partnerRefundNo !== undefined && partnerRefundNo !== reference)
    return unknownRefund('the response is for a different refund')
  if (money !== undefined && (money?.currency !== 'IDR' || parseAmount(money.value) !== amount))
    return unknownRefund(OTHER_AMOUNT)
  const id = answer.refundNo ?? answer.referenceNo ?? null
  if (responseCode.startsWith('202')) return { type: 'pending', id }
  if (!/^0+$/.test(responseCode.slice(5))) return unknownRefund(words)
  switch (answer.additionalInfo?.latestTransactionStatus) {
    case undefined:
    case '00':
    case '04':
      return { type: 'succeeded', id }
    case '01':
    case '02':
    case '03':
      return { type: 'pending', id }
    default:
      return unknownRefund(words)
  }
}

/**
 * Returns the result of an inquiry about a refund. The inquiry is a status inquiry about the refunded order,
 * because its response lists the order's refunds.
 */
export function inquireRefundBySnap(account: SnapAccount, refund: Refund): Promise<RefundInquiryResult> {
  return resultOfRefundInquiry(async () => {
    const found = await inquireBySnap(account, refund.order)
    if (found === 'absent' || found === 'not_reported')
      throw new ProviderError('unknown', 'the provider does not find the order')
    return findRefund(
      refund,
      found.returns ?? [],
      account.profile.refunds.isIdempotent ? { type: 'absent' } : unknownRefund('the refund is not listed'),
    )
  })
}
