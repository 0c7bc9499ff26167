// Finds all orders of a payment by Gapura's payment code. The first order has the payment code as its reference. The
// orders of later attempts have the payment code with a suffix.

/**
 * An SQL condition that matches the orders of a payment. ?1 is the payment code, and ?2 is the payment code without
 * dashes. A reference matches if it is the payment code, with or without a suffix such as `-2`. References of Midtrans
 * BI-SNAP contain no dashes, so they match `?2`, with or without a suffix such as `T2`.
 */
// In ASCII, '.' follows '-'. The range from '-' to '.' therefore contains all references that start with the code and a
// dash. In the same way, the range from 'T' to 'U' contains those that start with the code and a T.
export const ofPaymentCode = `(reference = ?1 or (reference >= ?1 || '-' and reference < ?1 || '.')
  or (provider = 'snap' and reference = ?2)
  or (provider = 'snap' and reference >= ?2 || 'T' and reference < ?2 || 'U'))`

export const withoutDashes = (code: string): string => code.replaceAll('-', '')
