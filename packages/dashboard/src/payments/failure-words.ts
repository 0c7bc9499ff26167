// Parses the recorded reason why a payment failed or was challenged, so that the dashboard can translate it.
// Unknown reasons, such as those in a provider's own words, are shown unchanged.

import { words } from '../language/language.tsx'

export type Failure =
  | { kind: 'amount'; expected: number; received: number }
  | { kind: 'reported'; status: string }
  | { kind: 'fraud' }
  | { kind: 'sender' }
  | { kind: 'own'; name: OwnReason }
  | { kind: 'other'; reason: string }

/** The sentences that the service itself records as a reason. */
const own = {
  'could not be reached': 'unreachable',
  'no answer within 10 s': 'timedOut',
  'accepted without payment instructions': 'withoutInstructions',
  'the provider accepted the order, but its payment instructions were lost; create a new payment':
    'lostInstructions',
  'provider reported a failure': 'failed',
  'provider reported a rejection': 'rejected',
  'the provider reports that the refund failed': 'refundFailed',
  'the provider does not list the refund': 'refundNotListed',
  'the inquiry failed': 'inquiryFailed',
  'the chargeback was won': 'chargebackWon',
} as const
export const ownReasons = Object.keys(own)
type OwnReason = (typeof own)[keyof typeof own]

export function failureOf(reason: string): Failure {
  if (Object.hasOwn(own, reason)) return { kind: 'own', name: own[reason as keyof typeof own] }
  const [, expected, received] = /^amount mismatch: expected (\d+), received (\d+)$/.exec(reason) ?? []
  if (expected && received) return { kind: 'amount', expected: Number(expected), received: Number(received) }
  const [, status] = /^provider reported (.+)$/.exec(reason) ?? []
  if (status) return { kind: 'reported', status }
  if (reason === 'held by fraud detection') return { kind: 'fraud' }
  if (reason === 'the sender could not be verified') return { kind: 'sender' }
  return { kind: 'other', reason }
}

export const failureWords = words({
  en: {
    amount: (expected: string, received: string) => `${received} of ${expected} was received.`,
    reported: (status: string) => `The provider reported: ${status}.`,
    fraud: 'The provider’s fraud detection is holding this payment.',
    sender: 'The provider could not verify who sent the money.',
    own: {
      unreachable: 'The provider could not be reached.',
      timedOut: 'The provider did not respond within 10 seconds.',
      withoutInstructions: 'The provider accepted the payment without payment instructions.',
      lostInstructions:
        'The provider accepted the payment, but its payment instructions were lost. Create a new payment.',
      failed: 'The provider reported that the payment failed.',
      rejected: 'The provider reported that the payment was rejected.',
      refundFailed: 'The provider reported that the refund failed.',
      refundNotListed: 'The provider does not list this refund yet.',
      inquiryFailed: 'The status inquiry at the provider failed.',
      chargebackWon: 'The chargeback was won.',
    },
  },
  id: {
    amount: (expected: string, received: string) =>
      `Dana yang diterima ${received} dari yang seharusnya ${expected}.`,
    reported: (status: string) => `Penyedia melaporkan: ${status}.`,
    fraud: 'Pembayaran ini ditahan oleh deteksi penipuan penyedia.',
    sender: 'Penyedia tidak dapat memverifikasi pengirim dana.',
    own: {
      unreachable: 'Penyedia tidak dapat dihubungi.',
      timedOut: 'Penyedia tidak merespons dalam 10 detik.',
      withoutInstructions: 'Penyedia menerima pembayaran ini tanpa instruksi pembayaran.',
      lostInstructions:
        'Penyedia menerima pembayaran ini, tetapi instruksi pembayarannya hilang. Buat pembayaran baru.',
      failed: 'Penyedia melaporkan bahwa pembayaran gagal.',
      rejected: 'Penyedia melaporkan bahwa pembayaran ditolak.',
      refundFailed: 'Penyedia melaporkan bahwa pengembalian dana gagal.',
      refundNotListed: 'Pengembalian dana ini belum tercantum di penyedia.',
      inquiryFailed: 'Pengecekan status di penyedia gagal.',
      chargebackWon: 'Chargeback dimenangkan.',
    },
  },
})
