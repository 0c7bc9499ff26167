import { words } from '../language/language.tsx'
import type { Effect, Verb } from './decisions.ts'

export const verbWords = words({
  en: {
    accept: 'Accept',
    assign: 'Assign to a payment',
    refund: 'Refund',
    dismiss: 'Dismiss',
  },
  id: {
    accept: 'Terima',
    assign: 'Tetapkan ke pembayaran',
    refund: 'Kembalikan dana',
    dismiss: 'Abaikan',
  },
} satisfies Record<'en' | 'id', Record<Verb, string>>)

export const doneWords = words({
  en: { accept: 'Accepted', assign: 'Assigned', refund: 'Refund recorded', dismiss: 'Dismissed' },
  id: {
    accept: 'Telah diterima',
    assign: 'Telah ditetapkan',
    refund: 'Pengembalian dana dicatat',
    dismiss: 'Telah diabaikan',
  },
} satisfies Record<'en' | 'id', Record<Verb, string>>)

type Said = Record<Effect, (sum: string) => string>

/**
 * Describes the effect of each decision on unexpected money (money that matches no open payment, or that a
 * provider took back). `sum` is the full amount of this money.
 */
export const effectWords = words({
  en: {
    noted: () =>
      'This money is already in the ledger, so no balance changes. Only your approval of it is recorded.',
    noted_reversal: () =>
      'The provider reversed the payment, and the ledger already includes the reversal. Your decision only records that you acknowledge the reversal; no balance changes.',
    credited: sum =>
      `${sum} is credited to the merchant’s balance. The payment becomes paid with this amount, even if the merchant and the payer agreed on a different amount. If the payment is already paid, this amount is credited in addition to the amount already paid. The merchant is notified by webhook.`,
    credited_besides: sum =>
      `${sum} is credited to the merchant’s balance, in addition to the amount already paid. The merchant is notified by webhook (payment.paid_again).`,
    assigned: sum =>
      `${sum} is credited to the balance of the merchant who owns the payment, and the payment becomes paid. If the payment is already paid, this amount is credited in addition. The merchant is notified by webhook.`,
    debited: () =>
      'The amount is debited from the merchant’s balance, and the provider returns it to the payer. If the provider cannot do this, you transfer the money. The merchant is notified by webhook (payment.refunded) when the refund has succeeded. If the refund fails, the amount is credited back, and you decide again.',
    returned: sum =>
      `The provider returns ${sum} to the payer. If the provider cannot do this, you transfer the money. No balance changes, because this money was never recorded in the ledger. If the refund fails, you must decide again what happens to the money.`,
    returned_part: sum =>
      `The provider returns ${sum} to the payer. If the provider cannot do this, you transfer the money yourself. No balance changes, because the money was never recorded in the ledger. If the payment was challenged because of this money, the payment fails. If the refund fails, you decide again what happens to the money.`,
    returned_by_you: sum =>
      `This money belongs to no known payment, so Gapura cannot refund it. Choose this decision only if you have already returned the ${sum} to the payer yourself. Your decision changes no balance, and you cannot undo it.`,
    refund_debited: () =>
      'The amount is debited from the merchant’s balance, and the merchant is notified by webhook (payment.refunded). If the provider later reports that the refund did not happen, the amount is credited back.',
    chargeback_debited: () =>
      'The amount is debited from the merchant’s balance, and the merchant is notified by webhook (payment.reversed). If the provider later reports that the merchant won the chargeback, the amount is credited back.',
    refund_assigned: () =>
      'The refunded amount is debited from the balance of the merchant who owns the payment, and the merchant is notified by webhook (payment.refunded).',
    chargeback_assigned: () =>
      'The amount is debited from the balance of the merchant who owns the payment, and the merchant is notified by webhook (payment.reversed).',
    dismissed: () =>
      'Choose this only if the refund or chargeback did not happen, or if you bear its cost. No balance changes, and the merchant is not notified. You cannot undo this.',
    dismissed_unconfirmed: () =>
      'Choose this only if the provider did not receive this money. No balance changes, and the merchant is not notified. You cannot undo this. If the provider later confirms the money, it is recorded again.',
  } satisfies Said,
  id: {
    noted: () =>
      'Dana ini sudah tercatat di buku besar, sehingga tidak ada saldo yang berubah. Hanya persetujuan Anda yang dicatat.',
    noted_reversal: () =>
      'Penyedia menarik kembali pembayaran, dan penarikan itu sudah tercatat di buku besar. Hanya konfirmasi Anda yang dicatat; tidak ada saldo yang berubah.',
    credited: sum =>
      `${sum} dikreditkan ke saldo merchant. Pembayaran menjadi lunas dengan jumlah ini, meskipun jumlah yang disepakati berbeda. Jika pembayaran sudah lunas, jumlah ini dikreditkan sebagai tambahan. Merchant diberi tahu lewat webhook.`,
    credited_besides: sum =>
      `${sum} dikreditkan ke saldo merchant, sebagai tambahan dari jumlah yang sudah dibayar. Merchant diberi tahu lewat webhook (payment.paid_again).`,
    assigned: sum =>
      `${sum} dikreditkan ke saldo merchant pemilik pembayaran, dan pembayaran menjadi lunas. Jika pembayaran sudah lunas, jumlah ini dikreditkan sebagai tambahan. Merchant diberi tahu lewat webhook.`,
    debited: () =>
      'Jumlahnya didebit dari saldo merchant, lalu penyedia mengembalikannya kepada pembayar. Jika penyedia tidak dapat melakukannya, Anda yang mentransfer dananya. Merchant diberi tahu lewat webhook (payment.refunded) setelah pengembalian dana berhasil. Jika pengembalian gagal, jumlahnya dikreditkan kembali dan Anda memutuskan lagi.',
    returned: sum =>
      `${sum} dikembalikan kepada pembayar oleh penyedia, atau oleh Anda jika penyedia tidak dapat melakukannya. Tidak ada saldo yang berubah, karena dana ini tidak pernah tercatat di buku besar. Jika pengembalian gagal, Anda memutuskan lagi.`,
    returned_part: sum =>
      `${sum} dikembalikan kepada pembayar oleh penyedia, atau oleh Anda jika penyedia tidak dapat melakukannya. Tidak ada saldo yang berubah, karena dana ini tidak pernah tercatat di buku besar. Pembayaran yang perlu ditinjau karena dana ini menjadi gagal. Jika pengembalian gagal, Anda memutuskan lagi.`,
    returned_by_you: sum =>
      `Pembayaran untuk dana ini tidak diketahui, sehingga Gapura tidak dapat mengembalikannya. Pilih ini hanya jika Anda sudah mengembalikan ${sum} kepada pembayar. Tidak ada saldo yang berubah. Tindakan ini tidak dapat dibatalkan.`,
    refund_debited: () =>
      'Jumlahnya didebit dari saldo merchant, dan merchant diberi tahu lewat webhook (payment.refunded). Jika penyedia kemudian melaporkan bahwa pengembalian dana itu tidak terjadi, jumlahnya dikreditkan kembali.',
    chargeback_debited: () =>
      'Jumlahnya didebit dari saldo merchant, dan merchant diberi tahu lewat webhook (payment.reversed). Jika penyedia kemudian melaporkan bahwa merchant memenangkan chargeback itu, jumlahnya dikreditkan kembali.',
    refund_assigned: () =>
      'Jumlahnya didebit dari saldo merchant pemilik pembayaran, dan merchant diberi tahu lewat webhook (payment.refunded).',
    chargeback_assigned: () =>
      'Jumlahnya didebit dari saldo merchant pemilik pembayaran, dan merchant diberi tahu lewat webhook (payment.reversed).',
    dismissed: () =>
      'Pilih ini hanya jika pengembalian dana atau chargeback tidak terjadi, atau jika Anda menanggung biayanya. Tidak ada saldo yang berubah, dan merchant tidak diberi tahu. Tindakan ini tidak dapat dibatalkan.',
    dismissed_unconfirmed: () =>
      'Pilih ini hanya jika penyedia tidak menerima dana ini. Tidak ada saldo yang berubah, dan merchant tidak diberi tahu. Tindakan ini tidak dapat dibatalkan. Jika penyedia kemudian mengonfirmasi dana ini, dana ini dicatat lagi.',
  } satisfies Said,
})
