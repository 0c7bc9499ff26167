import type { Outputs } from '../api/trpc.ts'
import { words } from '../language/language.tsx'

type Outcome = Outputs['unknownPayments']['inquire']['outcome']

/** Results of a status inquiry at the provider. */
export const outcomeWords = words({
  en: {
    charging: 'It is being charged just now',
    unknown: 'The provider still does not tell',
    not_created: 'The provider has nothing of it; the same order can be charged again',
    rejected: 'The provider refused it',
    pending: 'The provider has it; the payer can pay',
    paid: 'It is paid',
    failed: 'It has failed',
    expired: 'It has expired',
    cancelled: 'It is cancelled',
    challenged: 'It is challenged, and waits for you under “Challenged payments”',
  },
  id: {
    charging: 'Sedang diproses',
    unknown: 'Penyedia belum memberi tahu',
    not_created: 'Tidak ada di penyedia; pesanan yang sama dapat ditagih lagi',
    rejected: 'Ditolak penyedia',
    pending: 'Ada di penyedia; pembayar dapat membayar',
    paid: 'Sudah lunas',
    failed: 'Gagal',
    expired: 'Kedaluwarsa',
    cancelled: 'Dibatalkan',
    challenged: 'Dipertanyakan, dan menunggu Anda di “Pembayaran dipertanyakan”',
  },
} satisfies Record<'en' | 'id', Record<Outcome, string>>)
