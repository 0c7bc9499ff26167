// Creates a refund for a paid payment. One transaction records the refund and debits its amount, so the merchant
// cannot spend the money twice. After the commit, the refund is requested from the provider.

import { createHash } from 'node:crypto'
import type { Db } from '../../db/db.ts'
import { fault } from '../../faults/fault.ts'
import { addLogFields, type Logger } from '../../logging/log.ts'
import type { LoadAccount } from '../../provider-accounts/load-account.ts'
import type { ProviderHealth } from '../../provider-accounts/provider-health.ts'
import type { AnyProvider } from '../../providers/provider.ts'
import { canonicalJson } from '../../values/canonical-json.ts'
import type { Mode } from '../../values/mode.ts'
import { type Cents, toJsonNumber } from '../../values/money.ts'
import type { Clock } from '../../values/time.ts'
import { lockPaymentsWithBalances, type PaymentKey } from '../payment.sql.ts'
import type { Payment } from '../payment.ts'
import { newBatch } from '../record/event-batch.ts'
import { newRefund } from '../record/new-refund.ts'
import { recordRefund } from '../record/record-refund.ts'
import { findRefundByKey, listRefundsOfPayments } from '../record/refund.sql.ts'
import type { PaymentRefund } from '../record/refund.ts'
import { writeBatch } from '../record/write-batch.ts'
import { paidAttempt } from './paid-attempt.ts'
import type { CreateRefundInput } from './refund-input.ts'
import { refundMethodOf } from './refund-method.ts'
import { type RefundRequester, requireProofOfRefund } from './refund-requester.ts'
import { refundableOf, requireFewRefunds, requireWholeRupiah } from './refundable.ts'
import { sendRefund } from './send-refund.ts'

type Deps = {
  db: Db
  clock: Clock
  log: Logger
  accountOf: LoadAccount
  health: ProviderHealth
  publicIp: string | undefined
}

export type CreatedRefund = { refund: PaymentRefund; isReplayed: boolean }

/**
 * For each payment ID, the promise of the last refund that this process began to record. The payment's next refund
 * waits for it.
 */
const recording = new Map<string, Promise<unknown>>()

/**
 * Records a payment's refunds one at a time. Otherwise, many concurrent refunds would wait for the payment's
 * database lock until some of them timed out.
 */
function inTurn<Result>(paymentId: string, record: () => Promise<Result>): Promise<Result> {
  const mine = (recording.get(paymentId) ?? Promise.resolve()).then(record, record)
  const end = () => {
    if (recording.get(paymentId) === mine) recording.delete(paymentId)
  }
  recording.set(paymentId, mine)
  mine.then(end, end)
  return mine
}

/**
 * Creates a refund and requests it from the provider. If the idempotency key was already used, returns the existing
 * refund and does not require the second factor again.
 */
export async function createRefund(
  app: Deps,
  key: PaymentKey & { mode: Mode },
  idempotencyKey: string,
  input: CreateRefundInput,
  requester: RefundRequester,
): Promise<CreatedRefund> {
  const request = { ...key, idempotencyKey, ...fingerprintsOf(key.paymentId, input) }
  const known = await findRefundByKey(app.db, request)
  if (known) return { refund: repeated(known, request), isReplayed: true }
  const { account, provider, isOwnOrder } = await paidAttempt(app, key)
  const created = await inTurn(key.paymentId, () =>
    (app.db as Db).transaction(async tx => {
      const { payments, balances } = await lockPaymentsWithBalances(tx, [key])
      const [payment] = payments
      if (!payment) throw new Error(`there is no payment ${key.paymentId}`)
      // While this request waited for the payment's lock, another request with the same idempotency key may
      // have created the refund. In this case, that refund is returned.
      const earlier = await findRefundByKey(tx, request)
      if (earlier) return { refund: repeated(earlier, request), isReplayed: true }
      const at = app.clock()
      const others = await listRefundsOfPayments(tx, [key])
      const refund = refundOfMerchant(
        { payment, others, provider, isOwnOrder, accountId: account.id, at },
        request,
        input,
        requester,
      )
      const balance = balances[0]?.balance ?? 0n
      if (balance < refund.amount) throw insufficientBalance(balance, refund.amount)
      requireProofOfRefund(requester, others, refund)
      const batch = newBatch(payments, at, balances)
      recordRefund(batch, undefined, refund, 'merchant')
      await writeBatch(tx, batch)
      return { refund, isReplayed: false }
    }),
  ).catch((error: Error & { constraint?: string }) => {
    // A concurrent request has used the same idempotency key to refund another payment.
    if (error.constraint === 'refunds_tenant_id_mode_idempotency_key_key')
      throw fault('idempotency_key_reused')
    // The database rejected the refund, because another transaction reduced the merchant's balance after this
    // request read it.
    if (error.constraint === 'ledger_entries_cover_refunds') throw fault('balance_too_low_for_refund')
    throw error
  })
  addLogFields({ refundId: created.refund.id })
  if (created.isReplayed || created.refund.method === 'manual') return created
  return { ...created, refund: await sendRefund(app, created.refund) }
}

type Request = PaymentKey & { mode: Mode; idempotencyKey: string; fingerprint: Buffer; equal: Buffer[] }

/**
 * Returns the refund created by the first request with this idempotency key. Throws an error if that request had
 * different content.
 */
function repeated(refund: PaymentRefund, { equal }: Request): PaymentRefund {
  const { fingerprint } = refund
  if (!equal.some(each => fingerprint?.equals(each))) throw fault('idempotency_key_reused')
  return refund
}

/**
 * Returns the hash to store for a refund request (`fingerprint`) and the hashes of all requests that count as the same
 * (`equal`). A blank reason counts as no reason, because both are stored as a blank reason.
 */
function fingerprintsOf(
  paymentId: string,
  { amount, reason, bank_account }: CreateRefundInput,
): Pick<Request, 'fingerprint' | 'equal'> {
  const hashWith = (reason: string | undefined) =>
    createHash('sha256').update(canonicalJson({ paymentId, amount, reason, bank_account })).digest()
  const fingerprint = hashWith(reason)
  return { fingerprint, equal: reason ? [fingerprint] : [hashWith(undefined), hashWith('')] }
}

type Situation = {
  payment: Payment
  others: PaymentRefund[]
  provider: AnyProvider
  isOwnOrder: boolean
  accountId: string
  at: Date
}

function refundOfMerchant(
  { payment, others, provider, isOwnOrder, accountId, at }: Situation,
  { idempotencyKey, fingerprint }: Request,
  input: CreateRefundInput,
  { byUser }: RefundRequester,
): PaymentRefund {
  const { amountPaid, paidAt } = payment
  if (payment.status !== 'paid' || amountPaid === null || paidAt === null)
    throw fault('payment_not_refundable', { status: payment.status })
  if (payment.reversedAt !== null) throw fault('payment_reversed')
  requireFewRefunds(others)
  const { standing, refunded, left } = refundableOf(amountPaid, others)
  const amount: Cents = input.amount === undefined ? left : BigInt(input.amount)
  if (amount > left || left === 0n)
    throw fault('refund_exceeds_left', { left: toJsonNumber(left) }, { field: 'amount' })
  requireWholeRupiah(amount, left)
  const attempt = { amount, amountPaid, refunded, refunds: standing.length, paidAt, at }
  return newRefund(
    payment,
    others,
    {
      ...{ amount, origin: 'merchant', byUser, reason: input.reason ?? '' },
      ...refundMethodOf({ provider, payment, isOwnOrder }, attempt, input.bank_account, at),
      ...{ provider: provider.code, providerAccountId: accountId },
      ...{ idempotencyKey, fingerprint },
    },
    at,
  )
}

const insufficientBalance = (balance: Cents, amount: Cents) =>
  fault('balance_too_low', { balance: toJsonNumber(balance), amount: toJsonNumber(amount) })
