import { useWords, words } from '../language/language.tsx'
import type { Attempt } from './delivery-words.ts'

const text = words({ en: { none: 'No response' }, id: { none: 'Tidak ada respons' } })

/** Shows the HTTP status that the webhook's receiver returned, or that there was no response. */
export function Response({ to: attempt }: { to: Attempt }) {
  const t = useWords(text)
  return attempt.response_status === null ? (
    <span title={attempt.error ?? undefined}>{t.none}</span>
  ) : (
    <span className="figures">{attempt.response_status}</span>
  )
}
