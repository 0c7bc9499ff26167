import { useWords, words } from '../language/language.tsx'
import type { Attempt } from './delivery-words.ts'

const text = words({ en: { none: 'No answer' }, id: { none: 'Tidak ada jawaban' } })

/** What the receiver answered, in short. */
export function Response({ to: attempt }: { to: Attempt }) {
  const t = useWords(text)
  return attempt.response_status === null ? (
    <span title={attempt.error ?? undefined}>{t.none}</span>
  ) : (
    <span className="figures">{attempt.response_status}</span>
  )
}
