// The part of a paid payment that went back to the payer. It was either refunded, or the provider or the payer's bank
// took it back (a reversal).

import { words } from '../language/language.tsx'
import type { Payment } from './payment-words.ts'

type Way = 'refunded' | 'reversed'
export type Returned = { way: Way; isAll: boolean; amount: number }

/** Returns the amounts refunded and reversed to the payer. A payment can have both, each for part of its amount. */
export const returnedOf = (
  payment: Pick<Payment, 'amount_paid' | 'amount_refunded' | 'amount_reversed'>,
): Returned[] =>
  (['refunded', 'reversed'] as const)
    .map(way => ({ way, amount: payment[`amount_${way}`] }))
    .filter(({ amount }) => amount > 0)
    .map(({ way, amount }) => ({ way, amount, isAll: amount === payment.amount_paid }))

export const returnedWords = words({
  en: {
    refunded: { all: 'Fully refunded', part: (sum: string) => `${sum} refunded` },
    reversed: { all: 'Fully reversed', part: (sum: string) => `${sum} reversed` },
  },
  id: {
    refunded: { all: 'Dikembalikan seluruhnya', part: (sum: string) => `${sum} dikembalikan` },
    reversed: { all: 'Ditarik kembali seluruhnya', part: (sum: string) => `${sum} ditarik kembali` },
  },
})
