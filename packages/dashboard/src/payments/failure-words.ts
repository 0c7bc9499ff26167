// Parses the recorded reason why a payment failed or was challenged, so that the dashboard can translate it.
// Unknown reasons, such as those in a provider's own words, are shown unchanged.

import { words } from '../language/language.tsx'

export type Failure =
  | { kind: 'amount'; expected: number; received: number }
  | { kind: 'reported'; status: string }
  | { kind: 'fraud' }
  | { kind: 'sender' }
  | { kind: 'other'; reason: string }

export function failureOf(reason: string): Failure {
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
  },
  id: {
    amount: (expected: string, received: string) =>
      `Dana yang diterima ${received} dari yang seharusnya ${expected}.`,
    reported: (status: string) => `Penyedia melaporkan: ${status}.`,
    fraud: 'Pembayaran ini ditahan oleh deteksi penipuan penyedia.',
    sender: 'Penyedia tidak dapat memverifikasi pengirim dana.',
  },
})
