// Finds all orders of a payment code, including the references of later attempts.

/**
 * SQL condition on `reference` and `provider`: the code, or the code with a suffix such as `-2`. For Midtrans BI-SNAP,
 * whose references contain only letters and digits, also the code without dashes, or that with a suffix such as `T2`.
 * ?1 is the code, ?2 the code without dashes.
 */
// In ASCII, '.' follows '-', so the range contains exactly the texts that start with the code and a dash. 'U' follows
// 'T' in the same way.
export const ofPaymentCode = `(reference = ?1 or (reference >= ?1 || '-' and reference < ?1 || '.')
  or (provider = 'snap' and reference = ?2)
  or (provider = 'snap' and reference >= ?2 || 'T' and reference < ?2 || 'U'))`

export const withoutDashes = (code: string): string => code.replaceAll('-', '')
