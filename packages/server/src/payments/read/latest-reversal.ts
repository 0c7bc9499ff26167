// Returns what the dashboard shows to the merchant about a payment that the provider reversed.

import { z } from 'zod'
import type { Db } from '../../db/db.ts'
import { listPaymentTotals } from '../../ledger/payment-total.sql.ts'
import { toJsonNumber } from '../../values/money.ts'
import type { Payment } from '../payment.ts'
import { listRecordsOfPayments } from '../record/unexpected-money.sql.ts'

export const reversalView = z.strictObject({
  at: z.iso.datetime(),
  /** How many cents the reversal debited. */
  amount: z.int(),
  /**
   * How many cents of the payment's money the merchant has now: all its ledger credits minus its debits, without fees. It
   * is above 0 if the payer paid again after the reversal, or had paid twice before.
   */
  credited: z.int(),
})

/** Returns the payment's latest reversal that debited money, or null if there is none. */
export async function latestReversal(
  db: Db,
  { tenantId, id: paymentId, reversedAt }: Payment,
): Promise<z.output<typeof reversalView> | null> {
  if (reversedAt === null) return null
  const keys = [{ tenantId, paymentId }]
  const [records, [ledger]] = await Promise.all([
    listRecordsOfPayments(db, keys),
    listPaymentTotals(db, keys),
  ])
  const [latest] = records
    .filter(({ kind, credited }) => kind === 'reversal' && credited)
    .toSorted((one, two) => two.round - one.round)
  if (!latest) return null
  return {
    at: latest.createdAt.toISOString(),
    amount: toJsonNumber(latest.amount ?? 0n),
    credited: toJsonNumber(ledger?.total ?? 0n),
  }
}
