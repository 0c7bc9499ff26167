import { NumberInput, type NumberInputProps, Text } from '@mantine/core'
import { useLanguage } from '../language/language.tsx'

/** Whole rupiah, with the language's marks between the thousands. */
export function RupiahInput(given: NumberInputProps) {
  const [language] = useLanguage()
  const [thousands, decimal] = language === 'id' ? ['.', ','] : [',', '.']
  return (
    <NumberInput
      leftSection={<Text size="sm">Rp</Text>}
      allowDecimal={false}
      allowNegative={false}
      thousandSeparator={thousands}
      decimalSeparator={decimal}
      hideControls
      inputMode="numeric"
      {...given}
    />
  )
}
