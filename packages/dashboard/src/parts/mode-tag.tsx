import { useWords, words } from '../language/language.tsx'
import type { Mode } from '../shell/mode.ts'
import { Tag } from './tag.tsx'

const text = words({ en: { live: 'Live', test: 'Test' }, id: { live: 'Live', test: 'Uji' } })

export function ModeTag({ mode }: { mode: Mode }) {
  const t = useWords(text)
  return <Tag tone={mode === 'live' ? 'good' : 'over'}>{t[mode]}</Tag>
}
