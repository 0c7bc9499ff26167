// A payment is found by the code of its merchant, whichever try of it and whichever form of it a provider was given.

/**
 * A condition on `reference` and `provider`: the code itself, and the code with a suffix such as `-2`. For Midtrans
 * BI-SNAP, to which merchants send letters and digits alone, also the code without dashes, and that with a suffix such as
 * `T2`. ?1 is the code, ?2 the code without its dashes.
 */
// '.' follows '-' in ASCII, so the range holds exactly what starts with the code and a dash; likewise 'U' and 'T'.
export const ofPaymentCode = `(reference = ?1 or (reference >= ?1 || '-' and reference < ?1 || '.')
  or (provider = 'snap' and reference = ?2)
  or (provider = 'snap' and reference >= ?2 || 'T' and reference < ?2 || 'U'))`

export const withoutDashes = (code: string): string => code.replaceAll('-', '')
