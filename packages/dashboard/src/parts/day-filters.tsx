import { TextInput } from '@mantine/core'
import { useWords, words } from '../language/language.tsx'

const text = words({ en: { from: 'From', to: 'To' }, id: { from: 'Dari', to: 'Sampai' } })

type Days = { from?: string | undefined; to?: string | undefined }

/** The inputs for the first and the last day of a list. A chosen day has the format YYYY-MM-DD. */
export function DayFilters({ from, to, set }: Days & { set: (changed: Days) => void }) {
  const t = useWords(text)
  return (
    <>
      <TextInput
        type="date"
        label={t.from}
        value={from ?? ''}
        max={to}
        onChange={event => set({ from: event.currentTarget.value || undefined })}
      />
      <TextInput
        type="date"
        label={t.to}
        value={to ?? ''}
        min={from}
        onChange={event => set({ to: event.currentTarget.value || undefined })}
      />
    </>
  )
}
