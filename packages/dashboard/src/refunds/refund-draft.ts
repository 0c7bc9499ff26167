/** The values of the refund form. Amounts are cents; null means that the amount field is empty. */
export type Draft = {
  amount: number | null
  reason: string
  bank_account: { bank: string; number: string; holder_name: string }
}
