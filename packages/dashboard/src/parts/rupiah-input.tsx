import { centsOf, rupiahOf } from '../format/rupiah.ts'
import { useLanguage, useWords, words } from '../language/language.tsx'
import { ExactInput, type ExactInputProps } from './exact-input.tsx'

const text = words({
  en: { invalid: 'Enter an amount such as 1,500,000 or 1500000' },
  id: { invalid: 'Masukkan jumlah seperti 1.500.000 atau 1500000' },
})

/** An input for an amount in rupiah. The input's value is in cents. */
export function RupiahInput(given: ExactInputProps) {
  const { invalid } = useWords(text)
  const [language] = useLanguage()
  const notation = {
    read: (typed: string) => centsOf(typed, language),
    write: (cents: number) => rupiahOf(cents, language),
    invalid,
  }
  return <ExactInput leftSection="Rp" {...given} notation={notation} />
}
