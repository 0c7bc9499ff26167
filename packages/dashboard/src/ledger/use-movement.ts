import { useFeeFormula } from '../fees/fee-formula.ts'
import { useWords, words } from '../language/language.tsx'
import { useNameOfChannel } from '../payments/name-of-channel.ts'
import { methodWords } from '../payments/payment-words.ts'
import { useFailureWords } from '../payments/use-failure.ts'
import { movementOf } from './movement.ts'

const text = words({
  en: {
    received: 'Paid by the customer',
    further: 'Additional money from the payer, accepted by the operator',
    reversed: 'Reversed by the provider',
    given_back: 'Refunded to the payer',
    unconfirmed: 'Credited without the provider’s confirmation',
    undone: 'Credited back: a refund or chargeback did not happen',
    fee: 'Fee',
    fee_returned: 'Fee returned with the refund',
    fee_unconfirmed: 'Fee returned: the provider never confirmed the payment',
    fee_again: 'Fee charged again: the refund failed',
    refund: {
      merchant: {
        requested: 'Refund requested',
        succeeded: 'Refunded to the payer',
        failed: 'Refund failed and credited back',
      },
      provider: {
        requested: 'Refund in progress at the provider',
        succeeded: 'Refunded at the provider',
        failed: 'Refund did not happen at the provider',
      },
      chargeback: {
        requested: 'Chargeback in progress',
        succeeded: 'Chargeback',
        failed: 'Chargeback credited back',
      },
    },
  },
  id: {
    received: 'Dibayar oleh pelanggan',
    further: 'Dana tambahan dari pembayar, diterima oleh operator',
    reversed: 'Ditarik kembali oleh penyedia',
    given_back: 'Dikembalikan kepada pembayar',
    unconfirmed: 'Dikreditkan tanpa konfirmasi penyedia',
    undone: 'Dikreditkan kembali: pengembalian dana atau chargeback tidak terjadi',
    fee: 'Biaya',
    fee_returned: 'Biaya dikembalikan',
    fee_unconfirmed: 'Biaya dikembalikan: penyedia tidak pernah mengonfirmasi pembayaran',
    fee_again: 'Biaya dikenakan lagi: pengembalian dana gagal',
    refund: {
      merchant: {
        requested: 'Pengembalian dana diajukan',
        succeeded: 'Dana dikembalikan kepada pembayar',
        failed: 'Pengembalian gagal, dikreditkan kembali',
      },
      provider: {
        requested: 'Pengembalian dana di penyedia sedang diproses',
        succeeded: 'Dana dikembalikan di penyedia',
        failed: 'Pengembalian dana di penyedia tidak terjadi',
      },
      chargeback: {
        requested: 'Chargeback sedang diproses',
        succeeded: 'Chargeback',
        failed: 'Chargeback dikreditkan kembali',
      },
    },
  },
})

/**
 * Returns a function that describes a ledger movement in the reader's language. In the result, `why` is the recorded
 * reason or the fee calculation.
 */
export function useMovementWords(): (reason: string) => { what: string; why: string | undefined } {
  const t = useWords(text)
  const methods: Record<string, string> = useWords(methodWords)
  const channelName = useNameOfChannel()
  const formulaInWords = useFeeFormula()
  const inWords = useFailureWords()
  return reason => {
    const movement = movementOf(reason)
    switch (movement.kind) {
      case 'other':
        return { what: movement.reason, why: undefined }
      case 'refund':
        return { what: t.refund[movement.by][movement.state], why: movement.why && inWords(movement.why) }
      case 'fee': {
        const [method = '', channel] = movement.of.split(' ')
        const of = [methods[method] ?? method, channel && channelName(channel)].filter(Boolean).join(' ')
        return { what: t.fee, why: `${of}: ${formulaInWords(movement.formula)}` }
      }
      default:
        return { what: t[movement.kind], why: 'why' in movement ? inWords(movement.why) : undefined }
    }
  }
}
