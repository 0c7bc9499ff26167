import type { Outputs } from '../api/trpc.ts'
import { words } from '../language/language.tsx'
import type { Tone } from '../parts/tag.tsx'

export type Health = Outputs['providers']['health']['items'][number]
type Circuit = Health['circuit']

export const circuitTones: Record<Circuit, Tone> = { closed: 'good', half_open: 'doubt', open: 'bad' }

export const circuitWords = words({
  en: { closed: 'Takes payments', half_open: 'Being tried', open: 'Avoided' },
  id: { closed: 'Menerima pembayaran', half_open: 'Sedang dicoba', open: 'Dihindari' },
} satisfies Record<'en' | 'id', Record<Circuit, string>>)
