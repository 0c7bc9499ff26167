import { words } from '../language/language.tsx'
import type { Mode } from './mode.ts'

export const modeWords = words({
  en: { live: 'Live', test: 'Test' },
  id: { live: 'Live', test: 'Uji coba' },
} satisfies Record<'en' | 'id', Record<Mode, string>>)
