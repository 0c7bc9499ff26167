import { feeScheduleInput } from '@gapura/server/fee-input'
import { expect, test } from 'vitest'
import { draftsOf, newFeeRule, wantedFees } from './fee-rule-drafts.ts'

const rule = {
  ...{ method_type: 'virtual_account' as const, channel: 'bca', percent_bps: 70, fixed: 400_000 },
  ...{ min: null, max: 1_000_000, tax_bps: 1_100 },
}

test('if a user opens a fee schedule in the form and saves it without an edit, the schedule stays unchanged', () => {
  const wanted = wantedFees({ effective_from: '', refund_fees: true, rules: draftsOf([rule]) })
  expect(wanted).toEqual({ refund_fees: true, rules: [rule] })
})

test('in the fee form, an empty percentage, fixed amount or tax means zero, and an empty minimum or maximum means no limit', () => {
  const { rules } = wantedFees({ effective_from: '', refund_fees: false, rules: [newFeeRule()] })
  expect(rules).toEqual([
    {
      ...{ method_type: null, channel: null, percent_bps: 0, fixed: 0 },
      ...{ min: null, max: null, tax_bps: 1_100 },
    },
  ])
})

test('the start of a fee schedule is typed in Jakarta time, and is sent in a format that the service accepts', () => {
  const wanted = wantedFees({ effective_from: '2027-01-01T00:00', refund_fees: false, rules: [] })
  expect(wanted.effective_from).toBe('2027-01-01T00:00:00+07:00')
  expect(feeScheduleInput.safeParse(wanted).success).toBe(true)
})
