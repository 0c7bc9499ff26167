import { useWords, words } from '../language/language.tsx'
import { useFailureWords } from '../payments/use-failure.ts'
import { movementOf } from './movement.ts'

const text = words({
  en: {
    received: 'Paid by the customer',
    further: 'Additional money from the customer, accepted',
    reversed: 'Reversed by the provider',
    given_back: 'Refunded to the payer',
    unconfirmed: 'Credited without the provider’s confirmation',
    undone: 'Credited back: a refund or chargeback did not happen',
  },
  id: {
    received: 'Dibayar oleh pelanggan',
    further: 'Dana tambahan dari pelanggan, diterima',
    reversed: 'Ditarik kembali oleh penyedia',
    given_back: 'Dikembalikan kepada pembayar',
    unconfirmed: 'Dikreditkan tanpa konfirmasi penyedia',
    undone: 'Dikreditkan kembali: pengembalian dana atau chargeback tidak terjadi',
  },
})

/** Returns a function that describes a ledger movement in the reader's language. `why` is set if a reason was given. */
export function useMovementWords(): (reason: string) => { what: string; why: string | undefined } {
  const t = useWords(text)
  const inWords = useFailureWords()
  return reason => {
    const movement = movementOf(reason)
    if (movement.kind === 'other') return { what: movement.reason, why: undefined }
    return { what: t[movement.kind], why: 'why' in movement ? inWords(movement.why) : undefined }
  }
}
