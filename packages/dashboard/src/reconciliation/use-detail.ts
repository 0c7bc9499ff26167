import { useWords } from '../language/language.tsx'
import { statusWords } from '../payments/payment-words.ts'
import { detailOf, detailWords } from './detail-words.ts'

/**
 * Returns a function that translates a status in a reconciliation difference. A status that only the provider uses
 * is returned unchanged.
 */
export function useStatusOfEither(): (status: string) => string {
  const statuses: Record<string, string> = useWords(statusWords)
  const { nowhere } = useWords(detailWords)
  return status => (status === 'absent' ? nowhere : (statuses[status] ?? status))
}

/**
 * Returns a function that translates the service's text about a reconciliation difference. An unknown text is
 * returned unchanged.
 */
export function useDetail(): (said: string) => string {
  const t = useWords(detailWords)
  const statusIn = useStatusOfEither()
  return said => {
    const detail = detailOf(said)
    if (!detail) return said
    const { ours = '', theirs = '', line = '' } = detail.values
    const text = t.texts[detail.text]({ ours: statusIn(ours), theirs: statusIn(theirs), line })
    return detail.isExplained ? `${text} ${t.explained}` : text
  }
}
