import { feeScheduleInput } from '@gapura/server/fee-input'
import { expect, test } from 'vitest'
import { draftsOf, newFeeRule, wantedFees } from './fee-rule-drafts.ts'

const rule = {
  ...{ method_type: 'virtual_account' as const, channel: 'bca', percent_bps: 70, fixed: 400_000 },
  ...{ min: null, max: 1_000_000, tax_bps: 1_100 },
}

test('opening a fee schedule in the form and saving it without an edit changes nothing', () => {
  const wanted = wantedFees({ effective_from: '', refund_fees: true, rules: draftsOf([rule]) })
  expect(wanted).toEqual({ refund_fees: true, rules: [rule] })
})

test('in the fee form, an empty price field means zero, and an empty minimum or maximum means no limit', () => {
  const { rules } = wantedFees({ effective_from: '', refund_fees: false, rules: [newFeeRule()] })
  expect(rules).toEqual([
    {
      ...{ method_type: null, channel: null, percent_bps: 0, fixed: 0 },
      ...{ min: null, max: null, tax_bps: 1_100 },
    },
  ])
})

test("the start of a fee schedule is typed in Jakarta time and sent in the service's format", () => {
  const wanted = wantedFees({ effective_from: '2027-01-01T00:00', refund_fees: false, rules: [] })
  expect(wanted.effective_from).toBe('2027-01-01T00:00:00+07:00')
  expect(feeScheduleInput.safeParse(wanted).success).toBe(true)
})
