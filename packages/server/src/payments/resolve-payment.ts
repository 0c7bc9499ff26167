import { type Actor, auditedTransaction } from '../audit/audited-transaction.ts'
import type { Db, Tx } from '../db/db.ts'
import { fault } from '../faults/fault.ts'
import { addLogFields, type Logger } from '../logging/log.ts'
import type { LoadAccount } from '../provider-accounts/load-account.ts'
import type { ProviderHealth } from '../provider-accounts/provider-health.ts'
import type { Cents } from '../values/money.ts'
import type { Clock } from '../values/time.ts'
import { confirmPartialPayment } from './inquire/confirm-partial-payment.ts'
import { inquireAndRecordResult } from './inquire/inquire-and-record.ts'
import { sendChallengeDecision } from './inquire/send-inquiry.ts'
import { lockPayments } from './payment.sql.ts'
import { isShown, type Payment, type PaymentEvent, referenceOf, type Status } from './payment.ts'
import { findPaymentByIdOrCode } from './read/payment-list.sql.ts'
import type { RecordInBatch } from './record/event-batch.ts'
import { recordEvents } from './record/record-event.ts'
import { listRecordsOfPayments, updateUnexpectedMoney } from './record/unexpected-money.sql.ts'
import type { UnexpectedMoney } from './record/unexpected-money.ts'
import { paidAttempt } from './refund/paid-attempt.ts'
import type { ChallengeDecision } from './resolve-payment-input.ts'

type Deps = {
  db: Db
  clock: Clock
  accountOf: LoadAccount
  health: ProviderHealth
  recordInBatch: RecordInBatch
  log: Logger
  publicUrl: string
}

export type Resolution = { decision: ChallengeDecision; reason: string; withoutConfirmation: boolean }

const statusAfter: Record<ChallengeDecision, Status> = { accept: 'paid', reject: 'failed' }

/**
 * Applies the operator's decision on a challenged payment of any tenant. To accept the payment, a status inquiry must
 * confirm the whole amount or the part that was received, unless the operator accepts it with `without_confirmation`.
 */
export async function resolvePayment(
  app: Deps,
  owner: Actor,
  id: string,
  resolution: Resolution,
): Promise<Payment> {
  const found = await findPaymentByIdOrCode(app.db, id)
  if (!found || !isShown(found.status)) throw fault('payment_not_found', { id })
  addLogFields({ paymentId: found.id, paymentCode: found.paymentCode })
  if (found.status !== 'challenged') throw notChallenged(found, resolution.decision)
  if (resolution.decision === 'accept' && resolution.withoutConfirmation)
    return decide(app, owner, found, resolution, 'not asked')
  if (found.amountReceived !== null)
    return resolvePartlyPaid(app, owner, found, { ...resolution, received: found.amountReceived })
  // The provider is called outside any database transaction, so that a slow response holds no locks.
  const verdict = resolution.decision === 'accept' ? 'approve' : 'deny'
  const decisionOutcome = await sendChallengeDecision(app, found, verdict)
  const { payment, isAnswered } = await inquireAndRecordResult(app, found)
  const providerOutcome = `${verdict}: ${decisionOutcome}`
  if (payment.status === 'challenged' && resolution.decision === 'reject')
    return decide(app, owner, payment, resolution, providerOutcome)
  if (payment.status === statusAfter[resolution.decision])
    return noteOutcome(app, owner, { before: found, after: payment }, resolution, providerOutcome)
  if (payment.status !== 'challenged') throw notChallenged(payment, resolution.decision)
  const { paymentCode } = payment
  throw fault(isAnswered ? 'payment_not_confirmed' : 'provider_silent', { paymentCode })
}

/**
 * Applies the operator's decision on a partly paid payment. Rejecting the payment needs no inquiry, because this
 * decision leaves the record of the received money unchanged.
 */
async function resolvePartlyPaid(
  app: Deps,
  owner: Actor,
  found: Payment,
  { received, ...resolution }: Resolution & { received: Cents },
): Promise<Payment> {
  if (resolution.decision === 'reject') return decide(app, owner, found, resolution, 'not asked')
  const attempt = await paidAttempt(app, { tenantId: found.tenantId, paymentId: found.id })
  const part = { receipt: found.receipt ?? '', sum: received }
  const { payment, assertConfirmed } = await confirmPartialPayment(app, attempt.payment, part)
  // The payment may be paid by now. If the full amount was paid, the inquiry set the status `paid`. If a smaller amount
  // was paid, a concurrent decision set this status.
  if (payment.status === 'paid' && (payment.amountPaid ?? 0n) >= payment.amount)
    return noteOutcome(app, owner, { before: found, after: payment }, resolution, 'inquired')
  if (payment.status !== 'challenged') throw notChallenged(payment, resolution.decision)
  assertConfirmed()
  return decide(app, owner, payment, resolution, 'inquired')
}

/**
 * Adds the operator's decision to the audit log. The payment stays unchanged, because the status inquiry has
 * already set the status that the operator chose.
 */
const noteOutcome = (
  app: Deps,
  owner: Actor,
  { before, after }: { before: Payment; after: Payment },
  { decision, reason }: Resolution,
  provider: string,
): Promise<Payment> =>
  auditedTransaction(app, owner, async () => ({
    result: after,
    action: 'payment.resolve',
    tenantId: after.tenantId,
    subjectId: after.id,
    before: { status: before.status },
    after: { ...facts(after), decision, reason, provider },
  }))

async function decide(
  app: Deps,
  owner: Actor,
  found: Payment,
  { decision, reason, withoutConfirmation }: Resolution,
  provider: string,
): Promise<Payment> {
  const now = app.clock()
  const key = { tenantId: found.tenantId, paymentId: found.id }
  return auditedTransaction(app, owner, async tx => {
    const [locked] = await lockPayments(tx, [key])
    if (locked?.status !== 'challenged') throw notChallenged(locked ?? found, decision)
    const event = await eventOf(tx, locked, decision, reason, now)
    const isUnconfirmed = event.type === 'paid' && withoutConfirmation
    const detail = isUnconfirmed ? `credited without the provider's confirmation: ${reason}` : reason
    const [recorded] = await recordEvents(tx, [{ ...key, event, cause: 'owner', detail }], now)
    if (recorded?.kind !== 'changed') throw notChallenged(recorded?.payment ?? locked, decision)
    const { payment } = recorded
    return {
      result: payment,
      action: 'payment.resolve',
      tenantId: payment.tenantId,
      subjectId: payment.id,
      before: { status: recorded.from },
      after: {
        ...facts(payment),
        decision,
        reason,
        provider,
        ...(isUnconfirmed && { without_confirmation: true }),
      },
    }
  })
}

async function eventOf(
  tx: Tx,
  payment: Payment,
  decision: ChallengeDecision,
  reason: string,
  now: Date,
): Promise<PaymentEvent> {
  if (decision === 'reject') return { type: 'failed', reason }
  if (payment.amountReceived === null)
    return {
      ...{ type: 'paid', amountPaid: payment.amount, paidAt: now, unconfirmed: reason },
      reference: referenceOf(payment),
    }
  const part = await largestPart(tx, payment)
  if (!part || part.amount === null) throw fault('received_was_refunded')
  await updateUnexpectedMoney(tx, [{ ...part, status: 'accepted', credited: true, decidedAt: now, reason }])
  return {
    type: 'paid',
    amountPaid: part.amount,
    paidAt: now,
    reference: part.reference,
    ...(part.receipt !== '' && { receipt: part.receipt }),
    acceptedId: part.id,
  }
}

/**
 * Returns the open record of the payment's largest partial payment, which has the order reference and receipt
 * ID that are stored in the payment.
 */
async function largestPart(
  tx: Tx,
  { tenantId, id, paidReference, receipt }: Payment,
): Promise<UnexpectedMoney | undefined> {
  const records = await listRecordsOfPayments(tx, [{ tenantId, paymentId: id }])
  return records.find(
    record =>
      record.kind === 'underpaid' &&
      record.status === 'open' &&
      record.reference === paidReference &&
      record.receipt === (receipt ?? ''),
  )
}

const facts = ({ status, amountPaid }: Payment) => ({ status, amount_paid: amountPaid?.toString() ?? null })

const notChallenged = ({ status }: Payment, decision: ChallengeDecision) =>
  fault('transition_refused', { from: status, to: statusAfter[decision] })
