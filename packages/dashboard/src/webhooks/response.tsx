import { useWords, words } from '../language/language.tsx'
import type { Attempt } from './delivery-words.ts'

const text = words({
  en: { none: 'No response', incomplete: 'Incomplete response' },
  id: { none: 'Tidak ada respons', incomplete: 'Respons tidak lengkap' },
})

/**
 * Shows the HTTP status returned by the webhook's receiver, or that the receiver did not respond. If the response was
 * incomplete, the attempt failed, although its status may be 200, so its error is shown instead.
 */
export function Response({ to: attempt }: { to: Attempt }) {
  const t = useWords(text)
  if (attempt.response_status !== null && attempt.error !== null)
    return (
      <span title={attempt.error}>
        {t.incomplete} (<span className="figures">{attempt.response_status}</span>)
      </span>
    )
  return attempt.response_status === null ? (
    <span title={attempt.error ?? undefined}>{t.none}</span>
  ) : (
    <span className="figures">{attempt.response_status}</span>
  )
}
