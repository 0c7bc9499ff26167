import { useWords } from '../language/language.tsx'
import { actWords } from './act-words.ts'
import type { Entry } from './entry.ts'

export function Act({ of: { action } }: { of: Entry }) {
  const names: Record<string, string> = useWords(actWords)
  return names[action] ?? <span className="mono">{action}</span>
}
