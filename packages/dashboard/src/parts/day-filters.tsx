import { useWords, words } from '../language/language.tsx'
import { DayInput } from './day-input.tsx'

const text = words({ en: { from: 'From', to: 'To' }, id: { from: 'Dari', to: 'Sampai' } })

type Days = { from?: string | undefined; to?: string | undefined }

/** The inputs for the first and the last day that a list covers. A chosen day has the format YYYY-MM-DD. */
export function DayFilters({ from, to, set }: Days & { set: (changed: Days) => void }) {
  const t = useWords(text)
  return (
    <>
      <DayInput label={t.from} value={from} max={to} onDay={day => set({ from: day })} />
      <DayInput label={t.to} value={to} min={from} onDay={day => set({ to: day })} />
    </>
  )
}
