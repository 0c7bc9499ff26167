import { words } from '../language/language.tsx'
import type { Effect, Verb } from './decisions.ts'

export const verbWords = words({
  en: {
    accept: 'Accept',
    assign: 'Assign to a payment',
    refund: 'Mark as refunded',
    dismiss: 'Dismiss',
  },
  id: {
    accept: 'Terima',
    assign: 'Tetapkan ke pembayaran',
    refund: 'Tandai dikembalikan',
    dismiss: 'Abaikan',
  },
} satisfies Record<'en' | 'id', Record<Verb, string>>)

export const doneWords = words({
  en: { accept: 'Accepted', assign: 'Assigned', refund: 'Marked as refunded', dismiss: 'Dismissed' },
  id: {
    accept: 'Telah diterima',
    assign: 'Telah ditetapkan',
    refund: 'Telah ditandai dikembalikan',
    dismiss: 'Telah diabaikan',
  },
} satisfies Record<'en' | 'id', Record<Verb, string>>)

type Said = Record<Effect, (sum: string) => string>

/** The effect of a decision. sum: the full amount received. */
export const effectWords = words({
  en: {
    noted: () =>
      'The ledger has this money already, so no balance changes. It is noted that you agree to it.',
    noted_reversal: () =>
      'The provider took the money back, and the ledger says so. It is noted that you have seen it; no balance changes.',
    credited: sum =>
      `${sum} is credited to the balance of the merchant. The payment becomes paid with this amount, whatever was agreed; where it is paid already, the money comes besides. The merchant is told by webhook.`,
    credited_besides: sum =>
      `${sum} is credited to the balance of the merchant, besides what paid the payment. The merchant is told by webhook (payment.paid_again).`,
    assigned: sum =>
      `${sum} is credited to the balance of the merchant whose payment it is, and the payment becomes paid with it; where it is paid already, the money comes besides. The merchant is told by webhook.`,
    debited: () =>
      'For money that you gave back to the payer outside of Gapura: nothing is transferred here. The amount is debited from the balance of the merchant, who is told by webhook (payment.refunded). It is final.',
    returned: sum =>
      `For money that you gave back to the payer outside of Gapura: nothing is transferred here. The ledger never had these ${sum}, so no balance changes. It is final.`,
    returned_part: sum =>
      `For money that you gave back to the payer outside of Gapura: nothing is transferred here. The ledger never had these ${sum}, so no balance changes. A payment that is challenged because of it has failed. It is final.`,
    return_debited: () =>
      'The amount is debited from the balance of the merchant, who is notified by webhook (payment.refunded). If the provider later reports that it did not happen, the amount is credited back.',
    return_assigned: () =>
      'The amount is debited from the balance of the merchant whose payment it is, who is notified by webhook (payment.refunded).',
    dismissed: () =>
      'For a refund or chargeback that did not happen, or that you bear. No balance changes, and the merchant is not notified. It is final.',
  } satisfies Said,
  id: {
    noted: () =>
      'Dana ini sudah ada di buku besar, sehingga tidak ada saldo yang berubah. Dicatat bahwa Anda menyetujuinya.',
    noted_reversal: () =>
      'Penyedia menarik dana kembali dan buku besar sudah mencatatnya. Dicatat bahwa Anda mengetahuinya; tidak ada saldo yang berubah.',
    credited: sum =>
      `${sum} dikreditkan ke saldo merchant. Pembayaran menjadi lunas dengan jumlah ini, berapa pun yang disepakati; jika sudah lunas, dana ditambahkan di luar itu. Merchant diberi tahu lewat webhook.`,
    credited_besides: sum =>
      `${sum} dikreditkan ke saldo merchant, di luar dana yang melunasi pembayaran. Merchant diberi tahu lewat webhook (payment.paid_again).`,
    assigned: sum =>
      `${sum} dikreditkan ke saldo merchant pemilik pembayaran, dan pembayaran menjadi lunas dengannya; jika sudah lunas, dana ditambahkan di luar itu. Merchant diberi tahu lewat webhook.`,
    debited: () =>
      'Untuk dana yang sudah Anda kembalikan kepada pembayar di luar Gapura: tidak ada transfer dari sini. Jumlahnya didebit dari saldo merchant, yang diberi tahu lewat webhook (payment.refunded). Keputusan ini final.',
    returned: sum =>
      `Untuk dana yang sudah Anda kembalikan kepada pembayar di luar Gapura: tidak ada transfer dari sini. ${sum} ini tidak pernah tercatat di buku besar, sehingga tidak ada saldo yang berubah. Keputusan ini final.`,
    returned_part: sum =>
      `Untuk dana yang sudah Anda kembalikan kepada pembayar di luar Gapura: tidak ada transfer dari sini. ${sum} ini tidak pernah tercatat di buku besar, sehingga tidak ada saldo yang berubah. Pembayaran yang dipertanyakan karenanya menjadi gagal. Keputusan ini final.`,
    return_debited: () =>
      'Jumlahnya didebit dari saldo merchant, yang diberi tahu lewat webhook (payment.refunded). Jika penyedia kemudian melaporkan bahwa hal itu tidak terjadi, jumlahnya dikreditkan kembali.',
    return_assigned: () =>
      'Jumlahnya didebit dari saldo merchant pemilik pembayaran, yang diberi tahu lewat webhook (payment.refunded).',
    dismissed: () =>
      'Untuk pengembalian dana atau chargeback yang tidak terjadi, atau yang Anda tanggung. Tidak ada saldo yang berubah dan merchant tidak diberi tahu. Keputusan ini final.',
  } satisfies Said,
})
