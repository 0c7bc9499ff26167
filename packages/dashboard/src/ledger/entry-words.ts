import type { Outputs } from '../api/trpc.ts'
import { words } from '../language/language.tsx'
import type { Tone } from '../parts/tag.tsx'

type Type = Outputs['account']['entries']['items'][number]['entry_type']

export const entryTones: Record<Type, Tone> = { credit: 'good', debit: 'bad' }

export const entryWords = words({
  en: { credit: 'Credit', debit: 'Debit' },
  id: { credit: 'Kredit', debit: 'Debit' },
} satisfies Record<'en' | 'id', Record<Type, string>>)
