import type { Outputs } from '../api/trpc.ts'
import { words } from '../language/language.tsx'
import type { Tone } from '../parts/tag.tsx'

export type Callback = Outputs['callbacks']['list']['items'][number]
export type Rejected = Outputs['callbacks']['rejected']['items'][number]
export type CallbackStatus = Callback['status']

export const callbackTones: Record<CallbackStatus, Tone> = {
  received: 'waiting',
  applied: 'good',
  repeated: 'over',
  ignored: 'over',
  refused: 'doubt',
  unmatched: 'bad',
  unreadable: 'bad',
}
export const callbackStatuses = Object.keys(callbackTones) as CallbackStatus[]

export const callbackWords = words({
  en: {
    received: 'Waiting',
    applied: 'Applied',
    repeated: 'Repeated',
    ignored: 'Ignored',
    refused: 'Refused',
    unmatched: 'Unmatched',
    unreadable: 'Unreadable',
  },
  id: {
    received: 'Menunggu',
    applied: 'Diterapkan',
    repeated: 'Berulang',
    ignored: 'Diabaikan',
    refused: 'Ditolak',
    unmatched: 'Tidak cocok',
    unreadable: 'Tidak terbaca',
  },
} satisfies Record<'en' | 'id', Record<CallbackStatus, string>>)

export const callbackMeanings = words({
  en: {
    received: 'It was not looked at yet.',
    applied: 'It changed its payment.',
    repeated: 'It said what was known already, so nothing changed.',
    ignored: 'It proves or changes nothing.',
    refused: "The payment's status does not allow what it says.",
    unmatched: 'No payment of this account has its reference.',
    unreadable:
      'It is genuine, and this version cannot understand it. The provider was asked about its payments. Apply it again after an upgrade.',
  },
  id: {
    received: 'Belum diproses.',
    applied: 'Callback ini mengubah pembayarannya.',
    repeated: 'Isinya sudah diketahui, sehingga tidak ada yang berubah.',
    ignored: 'Tidak membuktikan atau mengubah apa pun.',
    refused: 'Status pembayaran tidak mengizinkan isinya.',
    unmatched: 'Tidak ada pembayaran akun ini dengan referensinya.',
    unreadable:
      'Callback ini asli, tetapi versi ini tidak memahaminya. Penyedia sudah ditanya tentang pembayarannya. Proses ulang setelah pembaruan.',
  },
} satisfies Record<'en' | 'id', Record<CallbackStatus, string>>)
