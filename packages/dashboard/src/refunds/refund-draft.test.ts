import { expect, test } from 'vitest'
import { centsOfDraft } from './refund-draft.ts'

test.each([
  ['an amount', 4_000_000, 4_000_000],
  ['no text', null, 0],
  ['a text that is no amount, such as 1.5', Number.NaN, 0],
])(
  'if the amount field of the refund form contains %s, the form calculates with a whole number of cents',
  (_, amount, cents) => {
    expect(centsOfDraft({ amount })).toBe(cents)
  },
)
