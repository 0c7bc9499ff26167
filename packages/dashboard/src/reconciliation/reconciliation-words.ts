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
    missing_here: 'Missing here',
    missing_there: 'Missing there',
    amount: 'Different amount',
    status: 'Different status',
    duplicate: 'Duplicate',
  },
  id: {
    missing_here: 'Tidak ada di sini',
    missing_there: 'Tidak ada di sana',
    amount: 'Jumlah berbeda',
    status: 'Status berbeda',
    duplicate: 'Ganda',
  },
} satisfies Record<'en' | 'id', Record<Kind, string>>)

/**
 * The two sources whose records of a payment differ. The table labels the first source "here" and the second "there".
 */
export const pairWords = words({
  en: {
    payments_ledger: 'Payment (here) and ledger (there)',
    payments_provider: 'Payment (here) and provider (there)',
    ledger_provider: 'Ledger (here) and provider (there)',
  },
  id: {
    payments_ledger: 'Pembayaran (di sini) dan buku besar (di sana)',
    payments_provider: 'Pembayaran (di sini) dan penyedia (di sana)',
    ledger_provider: 'Buku besar (di sini) dan penyedia (di sana)',
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
