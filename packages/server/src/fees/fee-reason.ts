// Formats the reason for a fee's ledger entry, for example `fee: virtual_account BCA 0.7% + Rp 4.000, PPN 11%`.

import { CENTS_PER_RUPIAH, type Cents } from '../values/money.ts'
import type { FeeFormula, PaymentChannel } from './fee-rule.ts'

export function feeReason(formula: FeeFormula, { methodType, channel }: PaymentChannel): string {
  const of = methodType === channel ? methodType : `${methodType} ${channel.toUpperCase()}`
  return `fee: ${of} ${formulaText(formula)}`
}

/** Formats a fee formula, for example `0.7% + Rp 4.000, at most Rp 10.000, PPN 11%`. */
export function formulaText({ percentBps, fixed, min, max, taxBps }: FeeFormula): string {
  const parts = [...(percentBps > 0 ? [percent(percentBps)] : []), ...(fixed > 0n ? [rupiahText(fixed)] : [])]
  return [
    parts.length > 0 ? parts.join(' + ') : 'Rp 0',
    ...(min === null ? [] : [`at least ${rupiahText(min)}`]),
    ...(max === null ? [] : [`at most ${rupiahText(max)}`]),
    ...(taxBps > 0 ? [`PPN ${percent(taxBps)}`] : []),
  ].join(', ')
}

const percent = (basisPoints: number): string => `${basisPoints / 100}%`

function rupiahText(cents: Cents): string {
  const whole = (cents / CENTS_PER_RUPIAH).toString().replace(/\B(?=(\d{3})+$)/g, '.')
  const rest = cents % CENTS_PER_RUPIAH
  return `Rp ${whole}${rest === 0n ? '' : `,${String(rest).padStart(2, '0')}`}`
}
