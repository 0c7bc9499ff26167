// Converts fee rules and fee formulas to and from the JSON in the database. JSON numbers represent all amounts
// exactly, because no amount exceeds MAX_AMOUNT.

import { toJsonNumber } from '../values/money.ts'
import type { FeeTerm, FeeTerms } from './fee.ts'
import type { FeeFormula, FeeRule } from './fee-rule.ts'

type StoredFormula = {
  percent_bps: number
  fixed: number
  min: number | null
  max: number | null
  tax_bps: number
}
export type StoredFeeRule = StoredFormula & {
  method_type: FeeRule['methodType']
  channel: string | null
}
type StoredTerm = StoredFormula & { version: number; refund_fees: boolean }
export type StoredFeeTerms = { operator: StoredTerm | null; partner: StoredTerm | null }

export const storeFeeRule = ({ methodType, channel, ...formula }: FeeRule): StoredFeeRule => ({
  method_type: methodType,
  channel,
  ...storeFormula(formula),
})

export const feeRuleOf = ({ method_type, channel, ...formula }: StoredFeeRule): FeeRule => ({
  methodType: method_type,
  channel,
  ...formulaOf(formula),
})

export const storeFeeTerms = ({ operator, partner }: FeeTerms): StoredFeeTerms => ({
  operator: operator && storeTerm(operator),
  partner: partner && storeTerm(partner),
})

export const feeTermsOf = ({ operator, partner }: StoredFeeTerms): FeeTerms => ({
  operator: operator && feeTermOf(operator),
  partner: partner && feeTermOf(partner),
})

const storeTerm = ({ version, refundsFees, ...formula }: FeeTerm): StoredTerm => ({
  version,
  refund_fees: refundsFees,
  ...storeFormula(formula),
})

const feeTermOf = ({ version, refund_fees, ...formula }: StoredTerm): FeeTerm => ({
  version,
  refundsFees: refund_fees,
  ...formulaOf(formula),
})

const storeFormula = ({ percentBps, fixed, min, max, taxBps }: FeeFormula): StoredFormula => ({
  percent_bps: percentBps,
  fixed: toJsonNumber(fixed),
  min: min === null ? null : toJsonNumber(min),
  max: max === null ? null : toJsonNumber(max),
  tax_bps: taxBps,
})

const formulaOf = ({ percent_bps, fixed, min, max, tax_bps }: StoredFormula): FeeFormula => ({
  percentBps: percent_bps,
  fixed: BigInt(fixed),
  min: min === null ? null : BigInt(min),
  max: max === null ? null : BigInt(max),
  taxBps: tax_bps,
})
