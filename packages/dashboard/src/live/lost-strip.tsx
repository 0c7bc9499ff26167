import { useFormat } from '../format/format.ts'
import { useWords, words } from '../language/language.tsx'
import classes from './lost-strip.module.css'

const text = words({
  en: {
    lost: (time: string) =>
      `Connection lost: this page shows how things stood at ${time}. Reconnecting\u00a0…`,
  },
  id: {
    lost: (time: string) =>
      `Koneksi terputus: halaman ini menampilkan keadaan pada pukul ${time}. Menyambung kembali\u00a0…`,
  },
})

/** at: ISO 8601; undefined while the page is told of changes. What is not there yet would not be read out once it is. */
export function LostStrip({ at }: { at: string | undefined }) {
  const t = useWords(text)
  const format = useFormat()
  return (
    <div role="status" className={classes.strip}>
      {at && t.lost(format.clock(at))}
    </div>
  )
}
