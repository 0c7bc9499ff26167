import type { Outputs } from '../api/trpc.ts'
import { words } from '../language/language.tsx'

export type Choices = Outputs['notifications']['get']
export type Kind = keyof Choices

type Text = { label: string; description: string }

/** The emails about problems, in display order. */
export const notificationWords = words({
  en: {
    receiver_failing: {
      label: 'Webhook receiver failing',
      description:
        'All webhooks to your callback URL, or to one of your additional webhook endpoints, have failed for an hour.',
    },
    key_expiring: {
      label: 'API key expires soon',
      description: 'An API key was used after its rotation and will stop working soon.',
    },
    unexpected_money: {
      label: 'Unexpected money',
      description: 'A live payment or reversal does not match its order and awaits a decision in the Inbox.',
    },
    outcome_unknown: {
      label: 'Unknown outcome',
      description: 'The provider has not reported the outcome of a live charge or refund.',
    },
    provider_down: {
      label: 'Provider account unavailable',
      description: 'For five minutes, most charges through a provider account have failed.',
    },
    success_rate_falling: {
      label: 'Success rate falls',
      description:
        'The share of payments that are paid has dropped for a live provider account, compared with the previous days.',
    },
  },
  id: {
    receiver_failing: {
      label: 'Penerima webhook gagal',
      description:
        'Tidak ada webhook yang sampai ke URL callback Anda, atau ke endpoint webhook tambahan, selama satu jam.',
    },
    key_expiring: {
      label: 'Kunci API segera kedaluwarsa',
      description: 'Kunci API masih dipakai setelah dirotasi dan segera tidak berlaku.',
    },
    unexpected_money: {
      label: 'Dana tak terduga',
      description:
        'Pembayaran atau penarikan kembali live tidak cocok dengan pesanannya dan menunggu keputusan di Kotak masuk.',
    },
    outcome_unknown: {
      label: 'Hasil tidak diketahui',
      description: 'Penyedia belum melaporkan hasil penagihan atau pengembalian dana live.',
    },
    provider_down: {
      label: 'Akun penyedia tidak tersedia',
      description: 'Sebagian besar penagihan melalui sebuah akun penyedia gagal selama lima menit.',
    },
    success_rate_falling: {
      label: 'Tingkat keberhasilan turun',
      description:
        'Porsi pembayaran yang dibayar lewat sebuah akun penyedia live lebih kecil daripada hari-hari sebelumnya.',
    },
  },
} satisfies Record<'en' | 'id', Record<Kind, Text>>)

export const kinds = Object.keys(notificationWords.en) as Kind[]
