// Finds all of a payment's orders by Gapura's payment code. The first order's reference is the payment code. Later
// attempts add a suffix to it.

/**
 * An SQL condition that matches a payment's orders. ?1 is the payment code, and ?2 is the payment code without
 * dashes. A reference is `?1`, with or without a suffix such as `-2`. At Midtrans BI-SNAP, it is `?2`, with or
 * without a suffix such as `T2`.
 */
// In ASCII, '.' follows '-', so the range from '-' to '.' contains all references that start with the code and a
// dash. The range from 'T' to 'U' contains those that start with the code and a T.
export const ofPaymentCode = `(reference = ?1 or (reference >= ?1 || '-' and reference < ?1 || '.')
  or (provider = 'snap' and reference = ?2)
  or (provider = 'snap' and reference >= ?2 || 'T' and reference < ?2 || 'U'))`

export const withoutDashes = (code: string): string => code.replaceAll('-', '')
