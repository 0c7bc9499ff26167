import type { LedgerDifference } from '../ledger/ledger-difference.ts'
import { fingerprintOf, isFingerprintVersion, orderOf } from '../payments/create/fingerprint.ts'
import type { FingerprintVersion } from '../payments/payment.ts'
import type { OrderRow } from './orders.sql.ts'

export type OrderOutcome = 'agrees' | 'not_checked' | Extract<LedgerDifference, { kind: 'order_differs' }>

/**
 * Detects whether a payment's order was changed in the database, by comparing it with the fingerprint, the
 * hash computed when the merchant sent the order. Returns `not_checked` if this release does not know the
 * fingerprint's version.
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

/**
 * Returns the fingerprint of the order in a payment's row. Returns undefined if the row contains no valid order
 * (for example, if its items are not a list).
 */
function fingerprintOfRow(row: OrderRow, version: FingerprintVersion): Buffer | undefined {
  try {
    const order = orderOf(row)
    const withExpiry = fingerprintOf(order, version)
    if (withExpiry.equals(row.fingerprint)) return withExpiry
    // The fingerprint (hash) includes the payment's expiry only if the merchant requested this expiry. The row does not
    // store whether the merchant requested the expiry, so the order is compared with and without its expiry.
    const withoutExpiry = fingerprintOf({ ...order, expiry_minutes: undefined }, version)
    return withoutExpiry.equals(row.fingerprint) ? withoutExpiry : withExpiry
  } catch {
    return
  }
}
