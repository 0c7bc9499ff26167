import type { Outputs } from '../../api/trpc.ts'
import { words } from '../../language/language.tsx'

/** A webhook endpoint (in addition to the callback URL), without its signing secret. */
export type ListedEndpoint = Outputs['webhookEndpoints']['list']['items'][number]
export type Schedule = ListedEndpoint['schedule']

export const scheduleWords = words({
  en: { short: '4 attempts, 10 seconds apart', long: '10 attempts within 3 days' },
  id: { short: '4 percobaan, selang 10 detik', long: '10 percobaan dalam 3 hari' },
} satisfies Record<'en' | 'id', Record<Schedule, string>>)

export const stateWords = words({
  en: { enabled: 'Enabled', disabled: 'Disabled' },
  id: { enabled: 'Aktif', disabled: 'Nonaktif' },
})
