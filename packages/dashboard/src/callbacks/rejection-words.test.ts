import { expect, test } from 'vitest'
import { rejectionOf } from './rejection-words.ts'

test.each([
  ['X-TIMESTAMP is too old or in the future', 'untimely', { field: 'X-TIMESTAMP' }],
  ['signature_key is wrong', 'wrong', { field: 'signature_key' }],
  ['not a SNAP notification', 'unknown_kind', { provider: 'SNAP' }],
  ['callbacks of this account are not accepted from 2001:db8::7', 'source', { address: '2001:db8::7' }],
])(
  'the dashboard can translate the reason “%s” for the rejection of a callback, because the dashboard recognizes this reason',
  (said, text, values) => {
    expect(rejectionOf(said)).toEqual({ text, values })
  },
)

test("if the dashboard does not recognize the reason for a callback's rejection, it shows the reason untranslated", () => {
  expect(rejectionOf('the provider is closed')).toBeUndefined()
})
