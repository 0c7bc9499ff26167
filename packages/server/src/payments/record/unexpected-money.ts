// Unexpected money is money that was received or returned without a payment that expected it. Each record of unexpected
// money requires one decision from the operator, and shows whether the money is in the ledger.

import type { MoneyReturn } from '../../providers/provider.ts'
import { newId } from '../../values/id.ts'
import type { Mode } from '../../values/mode.ts'
import type { Cents } from '../../values/money.ts'
import type { Payment } from '../payment.ts'

export const returnKinds = ['refund', 'chargeback'] as const

/**
 * The kinds of unexpected money (money that no open payment expects). The table in docs/unexpected-money.md
 * describes what happened for each kind.
 */
export const unexpectedKinds = [
  'unknown_reference',
  'second_payment',
  'overpaid',
  'underpaid',
  'late',
  'increase',
  'paid_after_reversal',
  'reversal',
  'unconfirmed',
  ...returnKinds,
] as const
export type UnexpectedKind = (typeof unexpectedKinds)[number]

/**
 * A record's statuses. `open` means that the operator must decide what to do with the money. The other
 * statuses are decisions made by the operator, or by the service if the operator has nothing left to decide.
 */
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
  /** The provider's id for the received money, refund or chargeback. Empty if the provider sent no id. */
  receipt: string
  /**
   * The part of this money, in cents, that is already included in earlier records or in the payment's credit. 0 if no
   * part of the money is included there.
   */
  fromAmount: Cents
  /**
   * A counter that starts at 1 and increases by 1 each time the provider takes back the record's money. It
   * distinguishes money received again after a reversal from the money received before.
   */
  round: number
  /** The payment's tenant. Null if no payment is known for the money; `paymentId` is then also null. */
  tenantId: string | null
  paymentId: string | null
  /**
   * The amount of this record in cents. It excludes `fromAmount`, the part of the money that is already included
   * elsewhere. Null if the provider reported a refund or chargeback without an amount.
   */
  amount: Cents | null
  expectedAmount: Cents | null
  /**
   * True if the ledger contains the money of this record: a credit for received money, or a debit for a reversal,
   * refund or chargeback.
   */
  credited: boolean
  /** The latest status the provider reported for a refund or chargeback. Null for other kinds of records. */
  returnStatus: MoneyReturn['status'] | null
  paidAt: Date
  createdAt: Date
  decidedAt: Date | null
  reason: string | null
}

export const isReturn = ({ kind }: Pick<UnexpectedMoney, 'kind'>): boolean =>
  (returnKinds as readonly string[]).includes(kind)

/**
 * Returns whether the record is about received money, as opposed to money that was reversed, refunded or
 * charged back.
 */
export const isReceived = ({ kind }: Pick<UnexpectedMoney, 'kind'>): boolean =>
  kind !== 'reversal' && !isReturn({ kind })

/**
 * Returns a readable name for a refund or chargeback: `refund rf-1`, or `refund` if the provider has given it no
 * id.
 */
export const returnName = ({ kind, receipt }: Pick<UnexpectedMoney, 'kind' | 'receipt'>): string =>
  receipt === '' ? kind : `${kind} ${receipt}`

/** Returns whether the record is waiting for the operator's decision and its money is not in the ledger. */
export const isUndecided = ({ status, credited }: Pick<UnexpectedMoney, 'status' | 'credited'>): boolean =>
  status === 'open' && !credited

/**
 * Returns a refund's or chargeback's record with the status `accepted`, which the service sets when it debits the
 * amount.
 */
export const debitedReturn = (record: UnexpectedMoney, at: Date): UnexpectedMoney => ({
  ...record,
  status: 'accepted',
  credited: true,
  decidedAt: at,
  reason: `debited when the provider reported the ${record.kind}`,
})

/**
 * Creates a record that waits for the operator's decision. The provider account fields are required if it is not
 * known which payment the money belongs to.
 */
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

/** Returns the payment's fields that are copied into each record of unexpected money for this payment. */
export const paymentFields = (payment: Payment) => ({
  provider: payment.provider,
  providerAccountId: payment.providerAccountId,
  mode: payment.mode,
  tenantId: payment.tenantId,
  paymentId: payment.id,
  expectedAmount: payment.amount,
})
