import { useFormat } from '../format/format.ts'
import { useWords } from '../language/language.tsx'
import { returnedOf, returnedWords } from './returned.ts'

/**
 * Returns a function that describes how much of a payment went back to the payer, with separate texts for refunds
 * and reversals.
 */
export function useReturned(): (payment: Parameters<typeof returnedOf>[0]) => string[] {
  const t = useWords(returnedWords)
  const { money } = useFormat()
  return payment =>
    returnedOf(payment).map(({ way, isAll, amount }) => (isAll ? t[way].all : t[way].part(money(amount))))
}
