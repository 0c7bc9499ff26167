/**
 * The values of the refund form. The amount is in cents. It is null if the field is empty, and NaN if the text is
 * not a valid amount, such as `1.5`.
 */
export type Draft = {
  amount: number | null
  reason: string
  bank_account: { bank: string; number: string; holder_name: string }
}

/** Returns the draft's amount in cents. Returns 0 if the amount field is empty or contains no number. */
export const centsOfDraft = ({ amount }: Pick<Draft, 'amount'>): number =>
  amount === null || Number.isNaN(amount) ? 0 : amount
