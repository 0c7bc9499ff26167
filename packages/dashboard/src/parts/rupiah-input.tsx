import { NumberInput, type NumberInputProps } from '@mantine/core'
import { useState } from 'react'
import { centsOf, rupiahOf } from '../format/rupiah.ts'
import { useLanguage } from '../language/language.tsx'

type Given = Omit<NumberInputProps, 'value' | 'defaultValue' | 'onChange' | 'type' | 'min' | 'max'> & {
  /** The amount in cents; null if the input is empty. */
  value?: number | null
  onChange: (cents: number | null) => void
}

/** An input in which the user types an amount in rupiah. Its value is in cents. */
export function RupiahInput({ value = null, onChange, ...input }: Given) {
  const [language] = useLanguage()
  // The text as the user typed it. For example, `25000.` may be on the way to `25000.50` and must not be reformatted.
  const [typed, setTyped] = useState(value === null ? '' : rupiahOf(value))
  const shown = (centsOf(typed) ?? null) === value ? typed : value === null ? '' : rupiahOf(value)
  return (
    <NumberInput
      leftSection="Rp"
      inputMode="decimal"
      hideControls
      withKeyboardEvents={false}
      clampBehavior="none"
      allowNegative={false}
      isAllowed={({ value: text }) => text === '' || centsOf(text) !== undefined}
      decimalScale={2}
      thousandSeparator={language === 'id' ? '.' : ','}
      decimalSeparator={language === 'id' ? ',' : '.'}
      valueIsNumericString
      {...input}
      value={shown}
      onValueChange={({ value: text }) => {
        setTyped(text)
        const cents = centsOf(text) ?? null
        if (cents !== value) onChange(cents)
      }}
    />
  )
}
