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
    received: 'Queued',
    applied: 'Applied',
    repeated: 'Duplicate',
    ignored: 'Ignored',
    refused: 'Not allowed',
    unmatched: 'Unmatched',
    unreadable: 'Unreadable',
  },
  id: {
    received: 'Dalam antrean',
    applied: 'Diterapkan',
    repeated: 'Duplikat',
    ignored: 'Diabaikan',
    refused: 'Tidak diizinkan',
    unmatched: 'Tidak cocok',
    unreadable: 'Tidak terbaca',
  },
} satisfies Record<'en' | 'id', Record<CallbackStatus, string>>)

export const callbackMeanings = words({
  en: {
    received: 'The callback has not been processed yet.',
    applied: 'The callback changed the payment.',
    repeated: 'The callback repeats a known status, so nothing changed.',
    ignored: 'The callback reports nothing that changes a payment.',
    refused: 'The payment’s status does not allow the change reported by the callback.',
    unmatched: 'No payment for this provider account has the reference in the callback.',
    unreadable:
      'The callback is genuine, but this version of Gapura cannot read it. Gapura has checked the payment at the provider instead. Upgrade Gapura, then reprocess the callback.',
  },
  id: {
    received: 'Callback belum diproses.',
    applied: 'Callback ini mengubah pembayaran.',
    repeated: 'Callback ini mengulang status yang sudah diketahui, sehingga tidak ada yang berubah.',
    ignored: 'Callback ini tidak melaporkan hal yang mengubah pembayaran.',
    refused: 'Status pembayaran tidak mengizinkan perubahan yang dilaporkan callback.',
    unmatched: 'Tidak ada pembayaran di akun penyedia ini dengan referensi dalam callback.',
    unreadable:
      'Callback ini asli, tetapi tidak dapat dibaca oleh versi Gapura ini. Gapura sudah memeriksa pembayarannya di penyedia. Perbarui Gapura, lalu proses ulang callback ini.',
  },
} satisfies Record<'en' | 'id', Record<CallbackStatus, string>>)
