// Finds all orders of a payment by its payment code, which is Gapura's reference of the payment. If the payment is
// charged again, the reference of the new order is the payment code with a suffix.

/**
 * An SQL condition on `reference` and `provider`, where ?1 is the payment code and ?2 is the code without dashes. The
 * condition matches references that equal the payment code, or the code with the suffix of a later attempt, such as
 * `-2`. References of Midtrans BI-SNAP contain only letters and digits, so they match if they equal the code without
 * dashes, with or without a suffix such as `T2`.
 */
// In ASCII, '.' follows '-'. The range from '-' to '.' therefore contains exactly the texts that start with the code
// and a dash. In the same way, the range from 'T' to 'U' contains exactly the texts that start with the code and a T.
export const ofPaymentCode = `(reference = ?1 or (reference >= ?1 || '-' and reference < ?1 || '.')
  or (provider = 'snap' and reference = ?2)
  or (provider = 'snap' and reference >= ?2 || 'T' and reference < ?2 || 'U'))`

export const withoutDashes = (code: string): string => code.replaceAll('-', '')
