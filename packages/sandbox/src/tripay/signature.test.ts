import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isSignedBy, signatureOf } from './signature.ts'

const PRIVATE_KEY = 'ytf6ooi2gmlNPfpchd94jDOk8hRWOu'

test("the sandbox computes the published signature for Tripay's published create request", () => {
  expect(signatureOf(PRIVATE_KEY, 'T0001INV555671500000')).toBe(
    '9f167eba844d1fcb369404e2bda53702e2f78f7aa12e91da6715414e65b8c86a',
  )
})

test('a Tripay signature is valid only for the exact signed text', () => {
  fc.assert(
    fc.property(fc.string(), fc.string({ minLength: 1 }), fc.nat({ max: 63 }), (text, more, digit) => {
      const signature = signatureOf(PRIVATE_KEY, text)
      const changed = signature[digit] === '0' ? '1' : '0'
      expect(isSignedBy(PRIVATE_KEY, text, signature)).toBe(true)
      expect(isSignedBy(PRIVATE_KEY, text + more, signature)).toBe(false)
      expect(isSignedBy(`${PRIVATE_KEY}x`, text, signature)).toBe(false)
      expect(
        isSignedBy(PRIVATE_KEY, text, signature.slice(0, digit) + changed + signature.slice(digit + 1)),
      ).toBe(false)
      expect(isSignedBy(PRIVATE_KEY, text, signature.slice(0, digit))).toBe(false)
    }),
  )
})
