// Describes a fee's formula in the reader's language. The service writes every formula in the same format,
// for example `0.7% + Rp 4.000, at least Rp 5.000, PPN 11%` (see fees/fee-reason.ts in the server).

import { formulaText } from '@gapura/server/fee-formula'
import type { Outputs } from '../api/trpc.ts'
import { type Formats, formatsIn } from '../format/format.ts'
import { centsOf } from '../format/rupiah.ts'
import { type Language, useLanguage } from '../language/language.tsx'

export type FeeRule = Outputs['fees']['own']['rules'][number]

const bounds: Record<Language, { least: string; most: string }> = {
  en: { least: 'at least', most: 'at most' },
  id: { least: 'minimal', most: 'maksimal' },
}

export function formulaIn(language: Language, { money }: Pick<Formats, 'money'>, formula: string): string {
  const { least, most } = bounds[language]
  return formula
    .replace(/Rp (\d[\d.]*)(?:,(\d\d))?/g, (written, whole: string, part = '00') => {
      const cents = centsOf(`${whole},${part}`, 'id')
      return cents === undefined ? written : money(cents)
    })
    .replace(/\d+(?:\.\d+)?%/g, percent => (language === 'id' ? percent.replace('.', ',') : percent))
    .replace('at least', least)
    .replace('at most', most)
}

export function useFeeFormula(): (formula: string) => string {
  const [language] = useLanguage()
  return formula => formulaIn(language, formatsIn(language), formula)
}

const centsOrNull = (cents: number | null): bigint | null => (cents === null ? null : BigInt(cents))

/** Returns a function that describes the fee formula of a rule in a fee schedule. */
export function useRuleFormula(): (rule: FeeRule) => string {
  const inWords = useFeeFormula()
  return ({ percent_bps, fixed, min, max, tax_bps }) =>
    inWords(
      formulaText({
        percentBps: percent_bps,
        fixed: BigInt(fixed),
        min: centsOrNull(min),
        max: centsOrNull(max),
        taxBps: tax_bps,
      }),
    )
}
