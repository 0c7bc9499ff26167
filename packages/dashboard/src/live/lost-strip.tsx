import { useFormat } from '../format/format.ts'
import { useWords, words } from '../language/language.tsx'
import classes from './lost-strip.module.css'

const text = words({
  en: {
    lost: (time: string) => `Connection lost at ${time}. This page may be out of date. Reconnecting\u00a0…`,
  },
  id: {
    lost: (time: string) =>
      `Koneksi terputus pukul ${time}. Data di halaman ini mungkin tidak terbaru. Menyambung kembali\u00a0…`,
  },
})

/**
 * Shows the time since which live updates have been missing. `at` is this time in ISO 8601, or undefined while updates
 * arrive. The element is always rendered, because screen readers announce only changes to elements that already exist.
 */
export function LostStrip({ at }: { at: string | undefined }) {
  const t = useWords(text)
  const format = useFormat()
  return (
    <div role="status" className={classes.strip}>
      {at && t.lost(format.clock(at))}
    </div>
  )
}
