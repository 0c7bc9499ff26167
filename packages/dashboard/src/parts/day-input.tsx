import { ActionIcon, TextInput, type TextInputProps } from '@mantine/core'
import { IconCalendar } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { dayOfTyped, typedOfDay } from '../format/typed-day.ts'
import { useWords, words } from '../language/language.tsx'
import classes from './day-input.module.css'

const text = words({
  en: { format: 'dd/mm/yyyy', choose: 'Choose a date', invalid: 'Enter a date such as 26/11/2026' },
  id: { format: 'hh/bb/tttt', choose: 'Pilih tanggal', invalid: 'Masukkan tanggal seperti 26/11/2026' },
})

type Given = Omit<TextInputProps, 'value' | 'defaultValue' | 'onChange' | 'type' | 'min' | 'max'> & {
  /** The input's date in the format YYYY-MM-DD. */
  value: string | undefined
  onDay: (day: string | undefined) => void
  min?: string | undefined
  max?: string | undefined
}

/**
 * A date input in the dashboard's language. The browser's own date input would use the browser's language, so it is
 * used only to show the calendar.
 */
export function DayInput({ value, onDay, min, max, ...input }: Given) {
  const t = useWords(text)
  const calendar = useRef<HTMLInputElement>(null)
  const [typed, setTyped] = useState(value === undefined ? '' : typedOfDay(value))
  const isMeant = typed.trim() === '' ? value === undefined : dayOfTyped(typed) === value
  const [isFocused, setFocused] = useState(false)
  const shown = isMeant || isFocused ? typed : value === undefined ? '' : typedOfDay(value)
  const isInvalid = shown.trim() !== '' && dayOfTyped(shown) === undefined && !isFocused
  const change = (changed: string) => {
    setTyped(changed)
    if (changed.trim() === '') onDay(undefined)
    else if (dayOfTyped(changed) !== undefined) onDay(dayOfTyped(changed))
  }
  return (
    <div className={classes.day}>
      <TextInput
        placeholder={t.format}
        inputMode="numeric"
        autoComplete="off"
        {...input}
        error={isInvalid ? t.invalid : input.error}
        value={shown}
        onChange={event => change(event.currentTarget.value)}
        onFocus={() => setFocused(true)}
        onBlur={() => setFocused(false)}
        rightSection={
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={t.choose}
            title={t.choose}
            onClick={() => calendar.current?.showPicker()}
          >
            <IconCalendar size={16} />
          </ActionIcon>
        }
      />
      <input
        ref={calendar}
        type="date"
        tabIndex={-1}
        aria-hidden="true"
        className={classes.calendar}
        value={value ?? ''}
        min={min}
        max={max}
        onChange={event => {
          const day = event.currentTarget.value
          setTyped(day === '' ? '' : typedOfDay(day))
          onDay(day || undefined)
        }}
      />
    </div>
  )
}
