import type { ComponentProps } from 'react'
import { useWords, words } from '../language/language.tsx'
import { RupiahInput } from '../parts/rupiah-input.tsx'

const text = words({
  en: {
    label: 'Confirm payments above',
    hint: 'This provider authenticates its callbacks only with a fixed token. If a callback reports a payment above this amount, Gapura confirms the payment with a status inquiry before crediting the money. Leave empty to credit every amount without confirmation. This setting has no effect if callback source addresses are listed.',
  },
  id: {
    label: 'Konfirmasi pembayaran di atas',
    hint: 'Penyedia ini mengautentikasi callback hanya dengan token tetap. Jika callback melaporkan pembayaran di atas jumlah ini, Gapura mengonfirmasi pembayaran itu dengan pengecekan status sebelum mengkreditkan dananya. Kosongkan untuk mengkreditkan semua jumlah tanpa konfirmasi. Pengaturan ini tidak berlaku jika alamat sumber callback diisi.',
  },
})

/**
 * The input for the amount above which a status inquiry must confirm a payment. The input is shown only for providers
 * that authenticate their callbacks solely with a constant token.
 */
export function InquireInput(input: ComponentProps<typeof RupiahInput>) {
  const t = useWords(text)
  return <RupiahInput label={t.label} description={t.hint} {...input} />
}
