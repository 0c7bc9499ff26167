import { z } from 'zod'
import { parseJson } from '../body.ts'
import { heldCents, type MoneyReturn, withReturn } from '../money-return.ts'
import type { Order } from '../order.ts'
import type { Sandbox } from '../provider.ts'
import { pendingMs, refundSteeringOf } from '../refund-steering.ts'
import { finishReturn, newReturn } from '../return-money.ts'
import { acceptedAnswer, type CreateAnswer } from '../steering.ts'
import { wibTime } from '../wib.ts'
import { type Answer, refusal } from './errors.ts'
import { identity, midtransOrder } from './messages.ts'
import type { MidtransDetail, MidtransOrder, PaymentType } from './order.ts'
import { refundFields } from './refund-message.ts'
import { midtransRules, ruleMessage } from './rules.ts'

// Handles refunds requested by the merchant (docs.midtrans.com refund-transaction and direct-refund-transaction).

const request = z.object({
  refund_key: z
    .string()
    .regex(/^[A-Za-z0-9_-]+$/, 'contains characters that are not allowed')
    .nullish(),
  // The amount to refund in rupiah. If it is absent, the whole remaining amount is refunded.
  amount: z
    .union(
      [
        z.int(),
        z
          .string()
          .regex(/^\d{1,12}$/)
          .transform(Number),
      ],
      'must be a number without decimals',
    )
    .refine(amount => amount > 0, 'must be greater than 0')
    .nullish(),
  reason: z.string().max(255, 'is too long, at most 255 characters').nullish(),
})

/**
 * The payment types that can be refunded (docs.midtrans.com metode-pembayaran-apa-yang-memiliki-fitur-refund). For
 * ShopeePay, this page allows partial refunds, but Midtrans' refund page allows only full refunds. The sandbox applies
 * the stricter rule. OVO payments can be refunded only in full (refund-transaction).
 */
const refundable: Partial<Record<PaymentType, 'partial' | 'full'>> = {
  credit_card: 'partial',
  gopay: 'partial',
  shopeepay: 'full',
  ovo: 'full',
  qris: 'partial',
  akulaku: 'partial',
  kredivo: 'partial',
}

function refundableAs({ paymentType, acquirer }: MidtransDetail): 'partial' | 'full' | undefined {
  return paymentType === 'qris' && acquirer === 'airpay shopee' ? 'full' : refundable[paymentType]
}

type Judged = { answer: Answer } | { refund: MoneyReturn }

/** Handles a refund request and records the refund. Both refund notifications are sent later. */
export function answerRefund(
  sandbox: Sandbox,
  order: Order,
  text: string,
  idempotencyKey: string | undefined,
): CreateAnswer {
  const scope = idempotencyKey && `midtrans:${order.merchant}:refund:${idempotencyKey}`
  const first = scope && sandbox.store.findReplay(scope)
  if (first) return acceptedAnswer(undefined, first)
  const steering = refundSteeringOf(order)
  if (steering === 'outage') return written(refusal('503'))
  const judged = judge(sandbox, order, text)
  if ('answer' in judged) return written(judged.answer)
  if (steering === 'reject') return written(refusal('412'))
  // Midtrans' pages contradict each other about code 414: it means either an insufficient balance (code-4xx) or an
  // invalid amount (refund page).
  if (steering === 'no_funds')
    return written(refusal('414', { status_message: 'Merchant insufficient funds' }))
  if (steering === 'fail') return written(deniedByBank(midtransOrder(order)))
  const body = refundMessage(midtransOrder(withReturn(order, judged.refund)), judged.refund)
  const written200 = { status: 200, body: JSON.stringify(body) }
  sandbox.store.together(() => {
    sandbox.store.recordReturn(order.seq, judged.refund)
    if (scope) sandbox.store.saveReplay(scope, 200, written200.body)
  })
  void finishReturn(sandbox, order, judged.refund, { pauseMs: pendingMs(steering) })
  return acceptedAnswer(steering === 'timeout' ? 'timeout' : undefined, written200)
}

function judge(sandbox: Sandbox, order: Order, text: string): Judged {
  const body = text.trim() === '' ? {} : parseJson(text)
  if (body === undefined) return { answer: refusal('413') }
  const broken = ruleMessage(midtransRules.refund, { headers: {}, body })
  if (broken) return { answer: refusal('400', { validation_messages: [broken] }) }
  const parsed = request.safeParse(body)
  if (!parsed.success) {
    const messages = parsed.error.issues.map(({ path, message }) => `${path.join('.')} ${message}`)
    return { answer: refusal('400', { validation_messages: messages }) }
  }
  const { refund_key: key, amount, reason } = parsed.data
  const earlier = key && order.returns.find(each => each.key === key)
  if (earlier) return { answer: repeated(order, earlier, amount) }
  const held = heldCents(order)
  const allowed = refundableAs(midtransOrder(order).detail)
  const settled = order.status === 'paid' && order.settledAt !== null
  if (!settled || !allowed || held <= 0) return { answer: refusal('412') }
  const amountCents = amount ? amount * 100 : held
  if (amountCents > held) return { answer: refusal('414') }
  if (allowed === 'full' && amountCents !== order.recordedCents) return { answer: refusal('412') }
  return {
    refund: newReturn(sandbox, order, {
      kind: 'refund',
      key: key ?? null,
      amountCents,
      reason: reason ?? '',
    }),
  }
}

/**
 * Returns the response to a refund request with an already used key. One of Midtrans' pages documents that the first
 * response is repeated, another that the response is `406 Duplicate refund ID`. The sandbox returns 406 only if the
 * amount differs.
 */
function repeated(order: Order, earlier: MoneyReturn, amount: number | null | undefined): Answer {
  if (amount && amount * 100 !== earlier.amountCents) {
    return refusal('406', { status_message: 'Duplicate refund ID' })
  }
  return { httpStatus: 200, code: '200', body: refundMessage(midtransOrder(order), earlier) }
}

/** Returns the response to a refund denied by the bank. The payment stays settled, and `refund_amount` is zero. */
function deniedByBank(order: MidtransOrder): Answer {
  return refusal('202', { ...identity(order), refund_amount: '0.00' })
}

function refundMessage(order: MidtransOrder, refund: MoneyReturn): Record<string, unknown> {
  const bank = refund.status === 'succeeded' ? ' by the bank' : ''
  return {
    status_code: '200',
    status_message: `Success, refund request is approved${bank}`,
    ...identity(order),
    ...(order.settledAt !== null && { settlement_time: wibTime(order.settledAt) }),
    ...refundFields(refund),
    ...ovoFields(order),
  }
}

/** Returns the response fields that only an OVO refund has (docs.midtrans.com refund-transaction). */
function ovoFields({ detail, id }: MidtransOrder): Record<string, unknown> {
  if (detail.paymentType !== 'ovo') return {}
  return { payer_phone_number: detail.payerPhone, merchant_invoice: id }
}

function written({ httpStatus, body }: Answer): CreateAnswer {
  return acceptedAnswer(undefined, { status: httpStatus, body: JSON.stringify(body) })
}
