import { useWords, words } from '../language/language.tsx'
import { Tag } from '../parts/tag.tsx'
import { circuitTones, circuitWords, type Health } from './circuit-words.ts'

const text = words({ en: { disabled: 'Disabled' }, id: { disabled: 'Nonaktif' } })

export function CircuitTag({ health: { circuit, enabled } }: { health: Health }) {
  const t = useWords(text)
  const names = useWords(circuitWords)
  if (!enabled) return <Tag tone="over">{t.disabled}</Tag>
  return <Tag tone={circuitTones[circuit]}>{names[circuit]}</Tag>
}
