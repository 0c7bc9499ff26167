// Parses the reason why the service rejected a callback, so that the dashboard can translate the reason. A reason from
// an earlier version of the service may be unknown; it is then shown untranslated.

import { type RejectionText, rejectionTexts } from '@gapura/server/rejection'
import { parserOf } from '../format/filled-text.ts'
import { words } from '../language/language.tsx'

export const rejectionOf = parserOf(rejectionTexts, { field: '[\\w-]+', provider: '\\w+', address: '\\S+' })

type Texts = Record<RejectionText, (value: string) => string>

export const rejectionWords = words({
  en: {
    wrong: field => `${field} is wrong.`,
    untimely: field => `${field} is too old or in the future.`,
    foreign: field => `${field} does not belong to this provider account.`,
    repeated: field => `${field} is missing or repeated.`,
    unknown_kind: provider => `The request is not a ${provider} notification.`,
    other_merchant: () =>
      'The notification is for another merchant, not for this provider account’s merchant.',
    source: address => `This provider account does not accept callbacks from the IP address ${address}.`,
  },
  id: {
    wrong: field => `${field} salah.`,
    untimely: field => `${field} sudah terlalu lama atau menunjukkan waktu yang akan datang.`,
    foreign: field => `${field} bukan milik akun ini.`,
    repeated: field => `${field} tidak ada atau muncul lebih dari sekali.`,
    unknown_kind: provider => `Permintaan ini bukan notifikasi ${provider}.`,
    other_merchant: () => 'Notifikasi ini untuk merchant lain, bukan merchant akun penyedia ini.',
    source: address => `Akun penyedia ini tidak menerima callback dari alamat IP ${address}.`,
  },
} satisfies Record<'en' | 'id', Texts>)
