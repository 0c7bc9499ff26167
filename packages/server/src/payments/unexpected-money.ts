// Money that arrived otherwise than was agreed, and payments that were taken back: the Owner decides what becomes
// of each. Money that waits is kept here once for each receipt, with the largest sum that was told of it; whether the
// ledger has it, it says itself.

import { newId } from '../id.ts'
import type { Mode } from '../mode.ts'
import type { Cents } from '../money.ts'
import { isKnownPart, isSecondPayment, isShown, type Payment, type PaymentEvent } from './payment.ts'
import type { Applied } from './transitions.ts'

export const unexpectedKinds = [
  'unknown_reference',
  'second_payment',
  'overpaid',
  'underpaid',
  'late',
  'reversal',
] as const
export type UnexpectedKind = (typeof unexpectedKinds)[number]

export const unexpectedStatuses = ['open', 'accepted', 'refunded'] as const
export type UnexpectedStatus = (typeof unexpectedStatuses)[number]

export type UnexpectedMoney = {
  id: string
  kind: UnexpectedKind
  provider: string
  providerAccountId: string
  mode: Mode
  reference: string
  /** Empty where the provider has no id for it. */
  receipt: string
  /** Null with the payment: nobody knows yet whose it is. */
  tenantId: string | null
  paymentId: string | null
  amount: Cents
  expectedAmount: Cents | null
  /** Whether the ledger has it; of a reversal, whether the payment had been credited. */
  credited: boolean
  paidAt: Date
  createdAt: Date
}

/** What the Owner has to see of an event that was applied to a payment, if anything. */
export function unexpectedMoneyOf(
  before: Payment,
  event: PaymentEvent,
  applied: Applied,
  at: Date,
): UnexpectedMoney | undefined {
  const of = (
    kind: UnexpectedKind,
    fields: Pick<UnexpectedMoney, 'amount' | 'credited' | 'paidAt' | 'reference'> & { receipt?: string },
    id: string = newId(),
  ): UnexpectedMoney => ({
    id,
    kind,
    provider: before.provider,
    providerAccountId: before.providerAccountId,
    mode: before.mode,
    tenantId: before.tenantId,
    paymentId: before.id,
    expectedAmount: before.amount,
    createdAt: at,
    ...fields,
    receipt: fields.receipt ?? '',
  })
  const { kind } = applied
  switch (event.type) {
    case 'paid': {
      // What the Owner accepted has its record.
      if (event.acceptedId !== undefined) return undefined
      const arrival = { ...arrivalOf(event), amount: event.amountPaid }
      if (kind === 'unchanged')
        return isSecondPayment(before, { ...event, sum: event.amountPaid })
          ? of('second_payment', { ...arrival, credited: false })
          : undefined
      if (kind === 'changed' && isOver(before)) return of('late', { ...arrival, credited: true })
      if (kind === 'changed' && event.amountPaid > before.amount)
        return of('overpaid', { ...arrival, credited: true })
      return undefined
    }
    case 'underpaid': {
      const arrival = { ...arrivalOf(event), amount: event.received, credited: false }
      if (before.status !== 'paid') return isKnownPart(before, event) ? undefined : of('underpaid', arrival)
      return isSecondPayment(before, { ...event, sum: event.received })
        ? of('second_payment', arrival)
        : undefined
    }
    case 'reversed':
      if (kind !== 'changed' || before.amountPaid === null) return undefined
      return of(
        'reversal',
        {
          reference: before.paidReference ?? before.paymentCode,
          ...(before.receipt !== null && { receipt: before.receipt }),
          amount: before.amountPaid,
          credited: true,
          paidAt: before.paidAt ?? at,
        },
        event.unexpectedMoneyId,
      )
    default:
      return undefined
  }
}

const arrivalOf = (event: { reference: string; receipt?: string; paidAt: Date }) => ({
  reference: event.reference,
  ...(event.receipt !== undefined && { receipt: event.receipt }),
  paidAt: event.paidAt,
})

/** A merchant who asked was told that nothing would come of it. */
const isOver = ({ status }: Payment): boolean =>
  status === 'rejected' ||
  status === 'uncharged' ||
  (isShown(status) && status !== 'pending' && status !== 'challenged')
