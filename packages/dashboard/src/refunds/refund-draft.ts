/**
 * The values of the refund form. The amount is in cents, null if its field is empty, and NaN if the text is not an
 * amount, such as `1.5`.
 */
export type Draft = {
  amount: number | null
  reason: string
  bank_account: { bank: string; number: string; holder_name: string }
}

/** Returns the amount of the draft in cents. Returns 0 if the amount field is empty or contains no number. */
export const centsOfDraft = ({ amount }: Pick<Draft, 'amount'>): number =>
  amount === null || Number.isNaN(amount) ? 0 : amount
