import { useWords, words } from '../language/language.tsx'
import { Tag, type Tone } from '../parts/tag.tsx'
import type { KeyState } from './key-state.ts'

const tones: Record<KeyState, Tone> = { active: 'good', ending: 'doubt', ended: 'over', revoked: 'over' }

const names = words({
  en: { active: 'Active', ending: 'Being replaced', ended: 'Expired', revoked: 'Revoked' },
  id: { active: 'Aktif', ending: 'Sedang diganti', ended: 'Kedaluwarsa', revoked: 'Dicabut' },
} satisfies Record<'en' | 'id', Record<KeyState, string>>)

export function KeyTag({ state }: { state: KeyState }) {
  return <Tag tone={tones[state]}>{useWords(names)[state]}</Tag>
}
