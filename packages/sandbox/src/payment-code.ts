// Finds all of a payment's orders by Gapura's payment code. The first order's reference is the payment code. Later
// attempts add a suffix to it.

/**
 * An SQL condition that matches all orders of a payment by their reference. A reference is the payment code (`?1`),
 * optionally with a suffix such as `-2`. For Midtrans BI-SNAP, a reference is the payment code without dashes (`?2`),
 * optionally with a suffix such as `T2`.
 */
// Ranges find references with a suffix. In ASCII, '.' follows '-', so the range from '-' to '.' contains all references
// that continue with a dash. Likewise, the range from 'T' to 'U' contains all references that continue with a T.
export const ofPaymentCode = `(reference = ?1 or (reference >= ?1 || '-' and reference < ?1 || '.')
  or (provider = 'snap' and reference = ?2)
  or (provider = 'snap' and reference >= ?2 || 'T' and reference < ?2 || 'U'))`

export const withoutDashes = (code: string): string => code.replaceAll('-', '')
