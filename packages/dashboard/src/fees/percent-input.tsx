import { basisPointsOf, percentOf } from '../format/percent.ts'
import { useLanguage, useWords, words } from '../language/language.tsx'
import { ExactInput, type ExactInputProps } from '../parts/exact-input.tsx'

const text = words({
  en: { invalid: 'Enter a percentage such as 0.7' },
  id: { invalid: 'Masukkan persentase seperti 0,7' },
})

/** An input for a percentage. The input's value is in basis points (hundredths of a percent). */
export function PercentInput(given: ExactInputProps) {
  const { invalid } = useWords(text)
  const [language] = useLanguage()
  const notation = {
    read: basisPointsOf,
    write: (points: number) => percentOf(points, language),
    invalid,
  }
  return <ExactInput rightSection="%" {...given} notation={notation} />
}
