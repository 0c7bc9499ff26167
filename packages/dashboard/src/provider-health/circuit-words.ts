import type { Outputs } from '../api/trpc.ts'
import { words } from '../language/language.tsx'
import type { Tone } from '../parts/tag.tsx'

export type Health = Outputs['providers']['health']['items'][number]
type Circuit = Health['circuit']

export const circuitTones: Record<Circuit, Tone> = { closed: 'good', half_open: 'doubt', open: 'bad' }

export const circuitWords = words({
  en: { closed: 'Healthy', half_open: 'Recovering', open: 'Unhealthy' },
  id: { closed: 'Normal', half_open: 'Pemulihan', open: 'Bermasalah' },
} satisfies Record<'en' | 'id', Record<Circuit, string>>)
