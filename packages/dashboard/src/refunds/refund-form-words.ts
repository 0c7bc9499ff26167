import { words } from '../language/language.tsx'

export const refundFormWords = words({
  en: {
    amount: 'Amount to refund',
    left: (left: string, paid: string) => `You can still refund up to ${left} of the ${paid} paid`,
    byHand: 'The operator can transfer the money instead. Enter the payer’s bank account.',
    bank: 'Bank',
    number: 'Account number',
    holder: 'Account holder',
    reason: 'Reason',
    reasonHint: 'Optional. Your reason is saved with the refund, for example: one book was missing',
    effect: {
      provider: (sum: string, provider: string) =>
        `${sum} is debited from your balance now, and ${provider} returns the money to the payer. If the refund fails, your balance is credited again. A refund cannot be undone.`,
      manual: (sum: string, _provider: string) =>
        `${sum} is debited from your balance now. The operator then transfers the money to this account. If the transfer fails, your balance is credited again. A refund cannot be undone.`,
    },
    refund: (sum: string) => `Refund ${sum}`,
    recordedBefore:
      'An earlier request has already created a refund with the details that you entered at that time. Check this payment’s refunds before you refund again.',
    done: { succeeded: 'Refunded', pending: 'Refund in progress', failed: 'Refund failed' },
  },
  id: {
    amount: 'Jumlah yang dikembalikan',
    left: (left: string, paid: string) => `Paling banyak ${left}, sisa dari ${paid} yang dibayar`,
    byHand: 'Sebagai gantinya, operator dapat mentransfer dananya. Isi rekening bank pembayar.',
    bank: 'Bank',
    number: 'Nomor rekening',
    holder: 'Nama pemilik rekening',
    reason: 'Alasan',
    reasonHint: 'Opsional. Alasan disimpan bersama pengembalian dana ini, misalnya: satu buku kurang',
    effect: {
      provider: (sum: string, provider: string) =>
        `${sum} didebit dari saldo Anda sekarang, lalu ${provider} mengembalikan dananya kepada pembayar. Jika pengembalian gagal, saldo Anda dikreditkan kembali. Pengembalian dana tidak dapat dibatalkan.`,
      manual: (sum: string, _provider: string) =>
        `${sum} didebit dari saldo Anda sekarang, lalu operator mentransfer dananya ke rekening ini. Jika transfer gagal, saldo Anda dikreditkan kembali. Pengembalian dana tidak dapat dibatalkan.`,
    },
    refund: (sum: string) => `Kembalikan ${sum}`,
    recordedBefore:
      'Permintaan sebelumnya sudah membuat pengembalian dana sesuai isian waktu itu. Periksa pengembalian dana pembayaran ini sebelum mengembalikan dana lagi.',
    done: {
      succeeded: 'Dana dikembalikan',
      pending: 'Pengembalian dana diproses',
      failed: 'Pengembalian dana gagal',
    },
  },
})
