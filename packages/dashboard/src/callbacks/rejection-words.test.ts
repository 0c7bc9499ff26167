import { expect, test } from 'vitest'
import { rejectionOf } from './rejection-words.ts'

test.each([
  ['X-TIMESTAMP is too old or in the future', 'untimely', { field: 'X-TIMESTAMP' }],
  ['signature_key is wrong', 'wrong', { field: 'signature_key' }],
  ['not a SNAP notification', 'unknown_kind', { provider: 'SNAP' }],
  ['callbacks of this account are not accepted from 2001:db8::7', 'source', { address: '2001:db8::7' }],
])(
  'the dashboard recognizes “%s” as the reason why a callback was rejected, so that it can translate the reason',
  (said, text, values) => {
    expect(rejectionOf(said)).toEqual({ text, values })
  },
)

test("if the reason for a callback's rejection is unknown, it is shown untranslated", () => {
  expect(rejectionOf('the provider is closed')).toBeUndefined()
})
