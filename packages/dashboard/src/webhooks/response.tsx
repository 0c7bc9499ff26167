import { useWords, words } from '../language/language.tsx'
import type { Attempt } from './delivery-words.ts'

const text = words({ en: { none: 'No response' }, id: { none: 'Tidak ada respons' } })

/** Shows the HTTP status returned by the webhook's receiver, or that the receiver did not respond. */
export function Response({ to: attempt }: { to: Attempt }) {
  const t = useWords(text)
  return attempt.response_status === null ? (
    <span title={attempt.error ?? undefined}>{t.none}</span>
  ) : (
    <span className="figures">{attempt.response_status}</span>
  )
}
