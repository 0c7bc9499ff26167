// Parses the recorded reason why a payment failed or was challenged, so that the dashboard can translate it.
// Unknown reasons, such as those in a provider's own words, are shown unchanged.

import { words } from '../language/language.tsx'

type Return = 'refund' | 'chargeback'

export type Failure =
  | { kind: 'amount'; expected: number; received: number }
  | { kind: 'reported'; status: string }
  | { kind: 'fraud' }
  | { kind: 'sender' }
  | { kind: 'corrected'; of: Return; id: string | undefined }
  | { kind: 'own'; name: OwnReason }
  | { kind: 'other'; reason: string }

/** Maps each fixed failure reason that the service itself records to the name of its translation. */
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
  "the provider's rate limit allowed no inquiry": 'rateLimited',
  'the chargeback was won': 'chargebackWon',
  'the operator recorded the failure': 'recordedFailure',
  'the connection broke': 'connectionBroke',
  'its response is too large': 'tooLarge',
  'its answer could not be read': 'unreadable',
  "the provider's response could not be read": 'unreadable',
  'took too long to issue a token': 'tokenLate',
  'issued no token': 'noToken',
  'too many charges are waiting for it': 'tooManyCharges',
  'the charge was not sent, because the database was too slow': 'notSent',
  'the charge was interrupted': 'interrupted',
  'the provider has no such order': 'noSuchOrder',
  'the provider does not find the order': 'orderNotFound',
  'the provider does not find the payment': 'orderNotFound',
  'the provider does not find the payment request': 'orderNotFound',
  'the provider does not have this payment request': 'noSuchOrder',
  'the response is for a different order': 'otherOrder',
  'it accepted the order with a different amount': 'otherAmount',
  'the payment failed': 'failed',
  'the refund failed': 'refundFailed',
  'the provider reports that it failed': 'refundFailed',
  'the response is for a different refund': 'otherRefund',
  'the response has a different amount': 'otherRefundAmount',
  'the refund was accepted with amount 0': 'acceptedWithZero',
  'the refund is not listed': 'refundNotListed',
  'the provider lists a refund without a reference': 'refundWithoutReference',
  'the list of refunds has no end': 'endlessList',
  "the money was received under another order reference, so the provider cannot refund it; request a refund with the payer's bank account":
    'moneyOfOtherOrder',
} as const
export const ownReasons = Object.keys(own)
type OwnReason = (typeof own)[keyof typeof own]

/**
 * The reasons that the service records when it credits a debit back because its amount was wrong
 * (plan-returned-money.ts).
 */
const corrected = [
  /^the provider later reported a different amount for this (refund|chargeback)$/,
  /^the provider reported this (refund|chargeback) as (.+) with a different amount$/,
]

export function failureOf(reason: string): Failure {
  if (Object.hasOwn(own, reason)) return { kind: 'own', name: own[reason as keyof typeof own] }
  const [, expected, received] = /^amount mismatch: expected (\d+), received (\d+)$/.exec(reason) ?? []
  if (expected && received) return { kind: 'amount', expected: Number(expected), received: Number(received) }
  const [, status] = /^provider reported (.+)$/.exec(reason) ?? []
  if (status) return { kind: 'reported', status }
  const [, of, id] = corrected.flatMap(pattern => pattern.exec(reason) ?? [])
  if (of) return { kind: 'corrected', of: of as Return, id }
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
    corrected: (of: Return, id: string | undefined) =>
      id === undefined
        ? `The provider later reported a different amount for this ${of}.`
        : `The provider reported this ${of} as ${id} with a different amount.`,
    own: {
      unreachable: 'The provider could not be reached.',
      timedOut: 'The provider did not respond within 10 seconds.',
      withoutInstructions: 'The provider accepted the payment without payment instructions.',
      lostInstructions:
        'The provider accepted the payment, but the instructions for the payer were lost. Create a new payment.',
      failed: 'The provider reported that the payment failed.',
      rejected: 'The provider reported that the payment was rejected.',
      refundFailed: 'The provider reported that the refund failed.',
      refundNotListed: 'The provider does not list this refund yet.',
      inquiryFailed: 'The status inquiry at the provider failed.',
      rateLimited: 'The provider’s rate limit allowed no status inquiry.',
      chargebackWon: 'The chargeback was won.',
      recordedFailure: 'The operator recorded that no money was returned.',
      connectionBroke: 'The connection to the provider was interrupted.',
      tooLarge: 'The provider’s response was too large.',
      unreadable: 'The provider’s response could not be read.',
      tokenLate: 'The provider took too long to issue an access token.',
      noToken: 'The provider issued no access token.',
      tooManyCharges: 'Too many payments were waiting for this provider.',
      notSent: 'The payment was not sent to the provider, because the database was too slow.',
      interrupted: 'Sending the payment to the provider was interrupted.',
      noSuchOrder: 'The provider does not have this payment.',
      orderNotFound: 'The provider does not find this payment.',
      otherOrder: 'The provider’s response was about a different payment.',
      otherAmount: 'The provider accepted the payment with an amount that differs from the requested amount.',
      otherRefund: 'The provider’s response was about a different refund.',
      otherRefundAmount: 'The provider’s response has a different refund amount.',
      acceptedWithZero: 'The provider accepted the refund with the amount 0.',
      refundWithoutReference:
        'The provider’s list of refunds contains a refund without a reference, which may be this refund.',
      endlessList: 'The provider’s list of refunds could not be read completely.',
      moneyOfOtherOrder:
        'The money was received under another order reference, so the provider cannot refund it. Request a refund with the payer’s bank account.',
    },
  },
  id: {
    amount: (expected: string, received: string) =>
      `Dana yang diterima ${received} dari yang seharusnya ${expected}.`,
    reported: (status: string) => `Penyedia melaporkan: ${status}.`,
    fraud: 'Pembayaran ini ditahan oleh deteksi penipuan penyedia.',
    sender: 'Penyedia tidak dapat memverifikasi pengirim dana.',
    corrected: (of: Return, id: string | undefined) => {
      const what = of === 'refund' ? 'pengembalian dana' : 'chargeback'
      return id === undefined
        ? `Penyedia kemudian melaporkan jumlah yang berbeda untuk ${what} ini.`
        : `Penyedia melaporkan ${what} ini sebagai ${id} dengan jumlah yang berbeda.`
    },
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
      rateLimited: 'Batas permintaan penyedia tidak mengizinkan pengecekan status.',
      chargebackWon: 'Chargeback dimenangkan.',
      recordedFailure: 'Operator mencatat bahwa dana tidak dikembalikan.',
      connectionBroke: 'Koneksi ke penyedia terputus.',
      tooLarge: 'Respons penyedia terlalu besar.',
      unreadable: 'Respons penyedia tidak dapat dibaca.',
      tokenLate: 'Penyedia terlalu lama menerbitkan token akses.',
      noToken: 'Penyedia tidak menerbitkan token akses.',
      tooManyCharges: 'Terlalu banyak pembayaran menunggu penyedia ini.',
      notSent: 'Pembayaran tidak dikirim ke penyedia, karena basis data terlalu lambat.',
      interrupted: 'Pengiriman pembayaran ke penyedia terhenti di tengah jalan.',
      noSuchOrder: 'Penyedia tidak memiliki pembayaran ini.',
      orderNotFound: 'Penyedia tidak menemukan pembayaran ini.',
      otherOrder: 'Respons penyedia merujuk pada pembayaran lain.',
      otherAmount: 'Penyedia menerima pembayaran ini dengan jumlah yang berbeda.',
      otherRefund: 'Respons penyedia merujuk pada pengembalian dana lain.',
      otherRefundAmount: 'Respons penyedia berisi jumlah pengembalian dana yang berbeda.',
      acceptedWithZero: 'Penyedia menerima pengembalian dana dengan jumlah 0.',
      refundWithoutReference:
        'Penyedia mencantumkan pengembalian dana tanpa referensi, yang mungkin adalah pengembalian dana ini.',
      endlessList: 'Daftar pengembalian dana di penyedia tidak dapat dibaca sampai selesai.',
      moneyOfOtherOrder:
        'Dana ini diterima dengan referensi pesanan lain, sehingga penyedia tidak dapat mengembalikannya. Ajukan pengembalian dana dengan rekening bank pembayar.',
    },
  },
})
