// The steps that a payer follows for each payment method, one step per line. The steps are valid for every bank,
// e-wallet and store.

import { words } from '../language/language.tsx'

export const stepWords = words({
  en: {
    virtual_account: (bank: string) =>
      `Open the ${bank} app or internet banking, or go to an ATM, and choose virtual account.
Enter the virtual account number.
Check the name and the amount, then confirm with your PIN.`,
    qris: () =>
      `Open any banking or e-wallet app that supports QRIS.
Scan the code, or choose its image from the gallery.
Check the merchant and the amount, then confirm with your PIN.`,
    e_wallet: (wallet: string) =>
      `Open the payment in ${wallet}.
Check the merchant and the amount, then confirm with your PIN.`,
    over_the_counter: (store: string) =>
      `Go to any ${store} store and ask to make an online payment.
Show the payment code to the cashier.
Pay the exact amount and keep the receipt.`,
  },
  id: {
    virtual_account: (bank: string) =>
      `Buka aplikasi ${bank}, internet banking, atau ATM, lalu pilih pembayaran virtual account.
Masukkan nomor virtual account.
Periksa nama dan jumlahnya, lalu konfirmasi dengan PIN.`,
    qris: () =>
      `Buka aplikasi bank atau dompet digital yang mendukung QRIS.
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
