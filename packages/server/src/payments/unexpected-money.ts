// Money that did not arrive or stay as agreed. Each record is one matter for the Owner, kept once, and shows whether the
// ledger has the money.

import { newId } from '../id.ts'
import type { Mode } from '../mode.ts'
import type { Cents } from '../money.ts'
import type { MoneyReturn } from '../providers/provider.ts'
import type { Payment } from './payment.ts'

/** Money that went back to the payer at the provider. */
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
  /** The provider's id of the arrival or return; empty where it has none. */
  receipt: string
  /** Cents of the receipt that earlier records, or the payment's own credit, account for. */
  fromAmount: Cents
  /** 1 plus the number of times the provider had taken the receipt's money back before. */
  round: number
  /** Null with the payment: it is not known yet which payment this money is for. */
  tenantId: string | null
  paymentId: string | null
  /** Beyond fromAmount. Null for a return whose amount was not reported. */
  amount: Cents | null
  expectedAmount: Cents | null
  /** Whether the ledger has it; of a reversal and of a return, whether it was debited. */
  credited: boolean
  /** Of a return only: what the provider last reported. */
  returnStatus: MoneyReturn['status'] | null
  paidAt: Date
  createdAt: Date
  decidedAt: Date | null
  reason: string | null
}

export const isReturn = ({ kind }: Pick<UnexpectedMoney, 'kind'>): boolean =>
  (returnKinds as readonly string[]).includes(kind)

/** `refund rf-1`; `refund` where the provider has not given it an id. */
export const nameOfReturn = ({ kind, receipt }: Pick<UnexpectedMoney, 'kind' | 'receipt'>): string =>
  receipt === '' ? kind : `${kind} ${receipt}`

/** Whether it waits for the Owner and the ledger does not have it. */
export const isWaiting = ({ status, credited }: Pick<UnexpectedMoney, 'status' | 'credited'>): boolean =>
  status === 'open' && !credited

/** An undecided record. Without a payment, the fields that name the account are required. */
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

/** What every record of a payment repeats of it. */
export const ofPayment = (payment: Payment) => ({
  provider: payment.provider,
  providerAccountId: payment.providerAccountId,
  mode: payment.mode,
  tenantId: payment.tenantId,
  paymentId: payment.id,
  expectedAmount: payment.amount,
})
