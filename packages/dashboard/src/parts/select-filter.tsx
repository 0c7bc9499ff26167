import { Select, type SelectProps } from '@mantine/core'
import { useWords, words } from '../language/language.tsx'

const text = words({ en: { any: 'Any' }, id: { any: 'Semua' } })

type Given = Omit<SelectProps, 'value' | 'onChange'> & {
  value: string | undefined
  /** Called with the chosen value, or with undefined if the user clears the filter. */
  onValue: (value: string | undefined) => void
}

/**
 * A select input that filters a list by one of the values in `data`. If no value is chosen, the list is not
 * filtered.
 */
export function SelectFilter({ value, onValue, ...select }: Given) {
  const t = useWords(text)
  return (
    <Select
      placeholder={t.any}
      clearable
      value={value ?? null}
      onChange={chosen => onValue(chosen ?? undefined)}
      {...select}
    />
  )
}
