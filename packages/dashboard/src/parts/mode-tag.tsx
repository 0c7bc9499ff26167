import { useWords } from '../language/language.tsx'
import type { Mode } from '../shell/mode.ts'
import { modeWords } from '../shell/mode-words.ts'
import { Tag } from './tag.tsx'

export function ModeTag({ mode }: { mode: Mode }) {
  const names = useWords(modeWords)
  return <Tag tone={mode === 'live' ? 'good' : 'over'}>{names[mode]}</Tag>
}
