// The rules of a fee schedule while a user edits them in the form, before they are saved.

import type { Inputs } from '../api/trpc.ts'
import type { FeeRule } from './fee-formula.ts'

type Wanted = Inputs['fees']['setOfTenant']

/**
 * A fee rule in the form. `key` is the React key of the rule's row. Amounts are in cents, or null if the input is
 * empty.
 */
export type FeeRuleDraft = {
  key: string
  method_type: FeeRule['method_type']
  channel: string | null
  percent_bps: number | null
  fixed: number | null
  min: number | null
  max: number | null
  tax_bps: number | null
}

export type FeeDraft = {
  /**
   * The start of the fee schedule in Jakarta time, in the format of a date input: `2027-01-01T00:00`. If it is empty,
   * the schedule starts when it is saved.
   */
  effective_from: string
  refund_fees: boolean
  rules: FeeRuleDraft[]
}

/** The default PPN (value-added tax) rate of a new fee rule: 11 %, in basis points. */
const USUAL_TAX_BPS = 1_100

export const draftsOf = (rules: readonly FeeRule[]): FeeRuleDraft[] =>
  rules.map((rule, index) => ({ ...rule, key: `saved-${index}` }))

export const newFeeRule = (): FeeRuleDraft => ({
  ...{ key: crypto.randomUUID(), method_type: null, channel: null },
  ...{ percent_bps: null, fixed: null, min: null, max: null, tax_bps: USUAL_TAX_BPS },
})

/** Returns the fee schedule to save. If a percentage, fixed amount or tax is empty, it counts as zero. */
export const wantedFees = ({ effective_from, refund_fees, rules }: FeeDraft): Omit<Wanted, 'tenant_id'> => ({
  ...(effective_from !== '' && { effective_from: `${effective_from}:00+07:00` }),
  refund_fees,
  rules: rules.map(({ key, percent_bps, fixed, tax_bps, ...rule }) => ({
    ...rule,
    percent_bps: percent_bps ?? 0,
    fixed: fixed ?? 0,
    tax_bps: tax_bps ?? 0,
  })),
})
