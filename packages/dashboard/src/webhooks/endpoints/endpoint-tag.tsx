import { useWords } from '../../language/language.tsx'
import { Tag } from '../../parts/tag.tsx'
import { stateWords } from './endpoint-words.ts'

export function EndpointTag({ isEnabled }: { isEnabled: boolean }) {
  const t = useWords(stateWords)
  return <Tag tone={isEnabled ? 'good' : 'over'}>{isEnabled ? t.enabled : t.disabled}</Tag>
}
