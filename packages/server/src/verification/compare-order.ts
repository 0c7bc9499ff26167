import type { Difference } from '../ledger/difference.ts'
import { fingerprintOf, isFingerprintVersion, orderOf } from '../payments/fingerprint.ts'
import type { FingerprintVersion } from '../payments/payment.ts'
import type { OrderRow } from './orders.sql.ts'

export type OrderOutcome = 'agrees' | 'not_checked' | Extract<Difference, { kind: 'order_differs' }>

/**
 * Compares what a payment's row says was ordered with the fingerprint of the order, which was made when the merchant sent
 * it. A version that this release does not know cannot be compared.
 */
export function compareOrder(row: OrderRow): OrderOutcome {
  const { fingerprint: expected, fingerprintVersion: version } = row
  if (!isFingerprintVersion(version)) return 'not_checked'
  const found = fingerprintOfRow(row, version)
  if (found?.equals(expected)) return 'agrees'
  return {
    kind: 'order_differs',
    tenant_id: row.tenantId,
    mode: row.mode,
    payment_id: row.paymentId,
    payment_code: row.paymentCode,
    amount: row.amount.toString(),
    expected: expected.toString('hex'),
    found: found?.toString('hex') ?? null,
  }
}

/** Undefined where the row holds no order at all, such as items that are no list. */
function fingerprintOfRow(row: OrderRow, version: FingerprintVersion): Buffer | undefined {
  try {
    const order = orderOf(row)
    const asked = fingerprintOf(order, version)
    if (asked.equals(row.fingerprint)) return asked
    // The row has the expiry that was used, and not whether the merchant asked for it.
    const unasked = fingerprintOf({ ...order, expiry_minutes: undefined }, version)
    return unasked.equals(row.fingerprint) ? unasked : asked
  } catch {
    return
  }
}
