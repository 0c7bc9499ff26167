// Unexpected money: money received or returned that does not match what was agreed. Each record is one item for the
// Owner to decide on, and shows whether the ledger has the money.

import { newId } from '../id.ts'
import type { Mode } from '../mode.ts'
import type { Cents } from '../money.ts'
import type { MoneyReturn } from '../providers/provider.ts'
import type { Payment } from './payment.ts'

/** Money that the provider returned to the payer. */
export const returnKinds = ['refund', 'chargeback'] as const

export const unexpectedKinds = [
  'unknown_reference',
  'second_payment',
  'overpaid',
  'underpaid',
  'late',
  'increase',
  'paid_after_reversal',
  'reversal',
  ...returnKinds,
] as const
export type UnexpectedKind = (typeof unexpectedKinds)[number]

export const unexpectedStatuses = ['open', 'accepted', 'refunded', 'dismissed'] as const
export type UnexpectedStatus = (typeof unexpectedStatuses)[number]

export type UnexpectedMoney = {
  id: string
  kind: UnexpectedKind
  status: UnexpectedStatus
  provider: string
  providerAccountId: string
  mode: Mode
  reference: string
  /** The provider's id of the receipt or return; empty if it has none. */
  receipt: string
  /** Cents of the receipt that earlier records, or the payment's own credit, account for. */
  fromAmount: Cents
  /** 1 plus the number of times that the provider had already taken this receipt's money back. */
  round: number
  /** Null, as is `paymentId`, while it is unknown which payment this money is for. */
  tenantId: string | null
  paymentId: string | null
  /** Cents beyond `fromAmount`. Null for a return whose amount was not reported. */
  amount: Cents | null
  expectedAmount: Cents | null
  /** Whether the ledger has the credit; for a reversal or a return, whether it has the debit. */
  credited: boolean
  /** The provider's last reported status of a return; null for other kinds. */
  returnStatus: MoneyReturn['status'] | null
  paidAt: Date
  createdAt: Date
  decidedAt: Date | null
  reason: string | null
}

export const isReturn = ({ kind }: Pick<UnexpectedMoney, 'kind'>): boolean =>
  (returnKinds as readonly string[]).includes(kind)

/** `refund rf-1`, or `refund` if the provider has not given it an id. */
export const nameOfReturn = ({ kind, receipt }: Pick<UnexpectedMoney, 'kind' | 'receipt'>): string =>
  receipt === '' ? kind : `${kind} ${receipt}`

/** Whether the record waits for the Owner and is not in the ledger. */
export const isWaiting = ({ status, credited }: Pick<UnexpectedMoney, 'status' | 'credited'>): boolean =>
  status === 'open' && !credited

/** Creates an undecided record. Without a payment, the fields that name the account are required. */
export function newRecord(
  fields: Pick<UnexpectedMoney, 'kind' | 'reference' | 'receipt' | 'amount' | 'credited' | 'paidAt'> &
    Pick<UnexpectedMoney, 'provider' | 'providerAccountId' | 'mode'> &
    Partial<UnexpectedMoney>,
  at: Date,
): UnexpectedMoney {
  return {
    id: newId(),
    status: 'open',
    fromAmount: 0n,
    round: 1,
    tenantId: null,
    paymentId: null,
    expectedAmount: null,
    returnStatus: null,
    createdAt: at,
    decidedAt: null,
    reason: null,
    ...fields,
  }
}

/** The payment's fields that each of its records repeats. */
export const ofPayment = (payment: Payment) => ({
  provider: payment.provider,
  providerAccountId: payment.providerAccountId,
  mode: payment.mode,
  tenantId: payment.tenantId,
  paymentId: payment.id,
  expectedAmount: payment.amount,
})
