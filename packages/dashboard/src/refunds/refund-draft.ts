/**
 * The values of the refund form. The amount is in cents. If the amount field is empty, the amount is null. If its
 * text is not a valid amount, such as `1.5`, the amount is NaN.
 */
export type Draft = {
  amount: number | null
  reason: string
  bank_account: { bank: string; number: string; holder_name: string }
}

/** Returns the draft's amount in cents. Returns 0 if the amount field is empty or contains no number. */
export const centsOfDraft = ({ amount }: Pick<Draft, 'amount'>): number =>
  amount === null || Number.isNaN(amount) ? 0 : amount
