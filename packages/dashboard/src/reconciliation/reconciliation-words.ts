import { words } from '../language/language.tsx'
import type { Tone } from '../parts/tag.tsx'
import type { Difference, Kind, Source } from './reconciliation.ts'

export const kindTones: Record<Kind, Tone> = {
  missing_here: 'bad',
  missing_there: 'bad',
  amount: 'doubt',
  status: 'doubt',
  duplicate: 'doubt',
}

export const kindWords = words({
  en: {
    missing_here: 'Not paid in Gapura',
    missing_there: 'Paid only in Gapura',
    amount: 'Different amount',
    status: 'Different status',
    duplicate: 'Duplicate',
  },
  id: {
    missing_here: 'Tidak lunas di Gapura',
    missing_there: 'Hanya lunas di Gapura',
    amount: 'Jumlah berbeda',
    status: 'Status berbeda',
    duplicate: 'Ganda',
  },
} satisfies Record<'en' | 'id', Record<Kind, string>>)

/** The two sources whose records for a payment differ. */
export const pairWords = words({
  en: {
    payments_ledger: 'Payment and ledger',
    payments_provider: 'Payment and provider',
    ledger_provider: 'Ledger and provider',
  },
  id: {
    payments_ledger: 'Pembayaran dan buku besar',
    payments_provider: 'Pembayaran dan penyedia',
    ledger_provider: 'Buku besar dan penyedia',
  },
} satisfies Record<'en' | 'id', Record<Difference['between'], string>>)

export const sourceWords = words({
  en: {
    settlement: 'Uploaded settlements',
    inquiry: 'Status at the providers',
    auto: 'Settlements, else status',
    books: 'Ledger only',
  },
  id: {
    settlement: 'Settlement yang diunggah',
    inquiry: 'Status di penyedia',
    auto: 'Settlement, atau status',
    books: 'Hanya buku besar',
  },
} satisfies Record<'en' | 'id', Record<Source, string>>)
export const sources = Object.keys(sourceWords.en) as Source[]
