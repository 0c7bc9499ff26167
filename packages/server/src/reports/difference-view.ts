import type { SettledAccount } from '../settlements/settlement.sql.ts'
import { type Cents, toJsonNumber } from '../values/money.ts'
import type { Finding, ProviderData } from './difference.ts'
import { detailIn } from './difference-detail.ts'
import { toSafeNumber } from './payment-report.ts'
import type { Books, PaymentOfDay, UnmatchedLine } from './payments-of-day.sql.ts'
import type { DifferenceView, SummaryView } from './reconciliation-report.ts'

export const viewBooks = (books: Books[]): SummaryView['items'] =>
  books.map(each => ({
    tenant_id: each.tenantId,
    mode: each.mode,
    paid: { count: Number(each.paidCount), amount: toSafeNumber(each.paidAmount) },
    credited: { count: Number(each.creditCount), amount: toSafeNumber(each.creditAmount) },
    debited: { count: Number(each.debitCount), amount: toSafeNumber(each.debitAmount) },
  }))

export function viewDifference(
  payment: PaymentOfDay,
  data: ProviderData | undefined,
  { kind, between, detail }: Finding,
): DifferenceView {
  return {
    kind,
    between,
    tenant_id: payment.tenantId,
    mode: payment.mode,
    payment_id: payment.id,
    payment_code: payment.paymentCode,
    reference: payment.lineReference ?? payment.reference,
    provider: payment.lineProvider ?? payment.provider,
    provider_account_id: payment.lineAccountId ?? payment.accountId,
    provider_payment_id: payment.lineProviderPaymentId ?? payment.providerPaymentId,
    our_status: payment.status,
    our_amount: numberOf(payment.amountPaid),
    ledger_amount: numberOf(payment.ledgerAmount),
    ...providerSideOf(payment, data),
    source: data?.source ?? null,
    detail,
  }
}

const numberOf = (cents: Cents | null): number | null => (cents === null ? null : toJsonNumber(cents))

function providerSideOf(
  { lines, lineStatus, paid, returned }: PaymentOfDay,
  data: ProviderData | undefined,
): Pick<DifferenceView, 'their_status' | 'their_amount'> {
  if (data?.source === 'inquiry') {
    if (data.status === 'absent') return { their_status: 'absent', their_amount: null }
    const { fact } = data.status
    return {
      their_status: fact.type === 'nothing' ? fact.reason : fact.type,
      their_amount: fact.type === 'paid' ? toJsonNumber(fact.amountPaid) : null,
    }
  }
  return data && lines > 0n
    ? { their_status: lineStatus, their_amount: toJsonNumber(paid - returned) }
    : { their_status: null, their_amount: null }
}

/**
 * Returns the difference for a settlement line that matches no payment: its reference does not belong to any payment at
 * the settlement's provider account.
 */
export const viewUnmatchedLine = (line: UnmatchedLine, account: SettledAccount): DifferenceView => ({
  kind: 'missing_here',
  between: 'payments_provider',
  tenant_id: null,
  mode: account.mode,
  payment_id: null,
  payment_code: null,
  reference: line.reference,
  provider: account.provider,
  provider_account_id: account.accountId,
  provider_payment_id: line.providerPaymentId,
  our_status: null,
  our_amount: null,
  ledger_amount: null,
  their_status: line.status,
  their_amount: toJsonNumber(line.amount),
  source: 'settlement',
  detail: detailIn('unmatched_line', { line: String(line.line) }),
})
