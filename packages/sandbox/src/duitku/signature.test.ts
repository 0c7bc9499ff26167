import { expect, test } from 'vitest'
import { isEqual, listSignatureOf, signatureOf } from './signature.ts'

// The key and the values are samples from Duitku's documentation. The expected signatures were computed with
// `openssl dgst`, not with the sandbox's code.
const key = 'DXXXXCX80TZJ85Q70QCI'
const callback = 'DXXXX150000abcde12345'

test('Duitku signatures are HMAC-SHA256 with the API key by default', () => {
  const expected = '264d2f1a5f8bcc0d593796efcd2906e26e38368491aa147a732fd4642fb5df2f'
  expect(signatureOf({ api_key: key }, callback)).toBe(expected)
  expect(signatureOf({ api_key: key, signature: 'hmac' }, callback)).toBe(expected)
})

test('a Duitku merchant that is configured for MD5 signatures uses SHA-256 for payment method requests', () => {
  const merchant = { api_key: key, signature: 'md5' }
  expect(signatureOf(merchant, callback)).toBe('55b2b1d0b03aa0c973f0711d45b4e250')
  expect(listSignatureOf(merchant, 'x')).toMatch(/^[0-9a-f]{64}$/)
  expect(listSignatureOf(merchant, 'x')).not.toBe(signatureOf({ api_key: key }, 'x'))
})

test('Duitku signatures are compared case-sensitively', () => {
  expect(isEqual('abc', 'abc')).toBe(true)
  expect(isEqual('abc', 'ABC')).toBe(false)
  expect(isEqual('abc', 'abcd')).toBe(false)
})
