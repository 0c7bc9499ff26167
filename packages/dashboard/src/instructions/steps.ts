// Payment steps, one per line, that are valid for every bank, wallet and store.

import { words } from '../language/language.tsx'

export const stepWords = words({
  en: {
    virtual_account: (bank: string) =>
      `Open ${bank}'s app, internet banking or an ATM, and choose to pay a virtual account.
Enter the virtual account number.
Check the name and the amount, and confirm with the PIN.`,
    qris: () =>
      `Open any app that pays by QRIS: a bank’s, or a wallet’s.
Scan the code, or choose its picture from the gallery.
Check the merchant and the amount, and confirm with the PIN.`,
    e_wallet: (wallet: string) =>
      `Open the payment in ${wallet}.
Check the merchant and the amount, and confirm with the PIN.`,
    over_the_counter: (store: string) =>
      `Go to any ${store} and say that you want to make an online payment.
Show or tell the cashier the payment code.
Pay the amount, and keep the receipt.`,
  },
  id: {
    virtual_account: (bank: string) =>
      `Buka aplikasi ${bank}, internet banking, atau ATM, lalu pilih pembayaran virtual account.
Masukkan nomor virtual account.
Periksa nama dan jumlahnya, lalu konfirmasi dengan PIN.`,
    qris: () =>
      `Buka aplikasi apa pun yang mendukung QRIS: bank atau dompet digital.
Pindai kode, atau pilih gambarnya dari galeri.
Periksa nama merchant dan jumlahnya, lalu konfirmasi dengan PIN.`,
    e_wallet: (wallet: string) =>
      `Buka pembayaran di ${wallet}.
Periksa nama merchant dan jumlahnya, lalu konfirmasi dengan PIN.`,
    over_the_counter: (store: string) =>
      `Datang ke gerai ${store} dan sampaikan bahwa Anda ingin membayar transaksi online.
Tunjukkan atau sebutkan kode pembayaran kepada kasir.
Bayar sesuai jumlah, dan simpan struknya.`,
  },
})
