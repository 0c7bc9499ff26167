import { TextInput, type TextInputProps } from '@mantine/core'
import { useState } from 'react'

export type ExactInputProps = Omit<TextInputProps, 'value' | 'defaultValue' | 'onChange' | 'type'> & {
  /** The input's value: an integer, null if the input is empty, or NaN if the text is invalid. */
  value?: number | null
  onChange: (value: number | null) => void
}

type Notation = {
  /** Parses the typed text. Returns the number, or undefined if the text is invalid. */
  read(typed: string): number | undefined
  write(value: number): string
  /** The error message shown while the typed text is invalid. */
  invalid: string
}

/**
 * An input for a number that the user types in a certain notation, such as an amount in rupiah. If the text is invalid,
 * the value is NaN, which no form accepts.
 */
export function ExactInput({
  value = null,
  onChange,
  onBlur,
  error,
  notation,
  ...input
}: ExactInputProps & { notation: Notation }) {
  const read = (typed: string) => (typed.trim() === '' ? null : (notation.read(typed) ?? Number.NaN))
  const write = (shown: number | null) => (shown === null || Number.isNaN(shown) ? '' : notation.write(shown))
  const [typed, setTyped] = useState(write(value))
  // The input shows the text exactly as the user typed it, until the form changes the value, for example on a
  // reset.
  const shown = Object.is(read(typed), value) ? typed : write(value)
  return (
    <TextInput
      inputMode="decimal"
      autoComplete="off"
      {...input}
      error={Number.isNaN(read(shown)) ? notation.invalid : error}
      value={shown}
      onChange={event => {
        const changed = event.currentTarget.value
        setTyped(changed)
        onChange(read(changed))
      }}
      onBlur={event => {
        if (!Number.isNaN(read(shown))) setTyped(write(value))
        onBlur?.(event)
      }}
    />
  )
}
