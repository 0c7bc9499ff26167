import type { Outputs } from '../api/trpc.ts'
import { words } from '../language/language.tsx'

type Outcome = Outputs['unknownPayments']['inquire']['outcome']

/** The texts that the dashboard shows for the possible outcomes of a status inquiry at the provider. */
export const outcomeWords = words({
  en: {
    charging: 'The charge is in progress',
    unknown: 'The provider has not reported the outcome yet',
    not_created: 'Not created at the provider; the same order can be charged again',
    rejected: 'Rejected by the provider',
    pending: 'Created at the provider; the payer can pay',
    paid: 'Paid',
    failed: 'Failed',
    expired: 'Expired',
    cancelled: 'Cancelled',
    challenged: 'Challenged; decide on the payment under “Challenged payments”',
  },
  id: {
    charging: 'Penagihan sedang diproses',
    unknown: 'Penyedia belum melaporkan hasilnya',
    not_created: 'Tidak dibuat di penyedia; pesanan yang sama dapat ditagih lagi',
    rejected: 'Ditolak oleh penyedia',
    pending: 'Sudah dibuat di penyedia; pembayar dapat membayar',
    paid: 'Lunas',
    failed: 'Gagal',
    expired: 'Kedaluwarsa',
    cancelled: 'Dibatalkan',
    challenged: 'Perlu ditinjau; putuskan di “Pembayaran perlu ditinjau”',
  },
} satisfies Record<'en' | 'id', Record<Outcome, string>>)
