import type { ComponentProps } from 'react'
import { useWords, words } from '../language/language.tsx'
import { RupiahInput } from '../parts/rupiah-input.tsx'

const text = words({
  en: {
    label: 'Confirm payments above',
    hint: 'This provider signs its callbacks with a constant token only. A callback that reports a larger payment is confirmed by a status inquiry before it is credited. Leave it empty to credit every amount. It has no effect where source addresses are listed.',
  },
  id: {
    label: 'Konfirmasi pembayaran di atas',
    hint: 'Penyedia ini hanya membuktikan callback-nya dengan token tetap. Callback yang melaporkan pembayaran lebih besar dikonfirmasi melalui permintaan status sebelum dikreditkan. Kosongkan untuk mengkreditkan semua jumlah. Tidak berlaku jika alamat sumber diisi.',
  },
})

/** For providers that authenticate callbacks only by a constant token. */
export function InquireInput(input: ComponentProps<typeof RupiahInput>) {
  const t = useWords(text)
  return <RupiahInput label={t.label} description={t.hint} {...input} />
}
