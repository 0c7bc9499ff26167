import { generateTOTP } from '@oslojs/otp'
import fc from 'fast-check'
import { Secret } from 'otpauth'
import { expect, test } from 'vitest'
import { newRecoveryCodes, normalizedCode } from './recovery-code.ts'
import { newTotpSecret, totpStepOf, totpUri } from './totp.ts'

/** The secret used in the test vectors of RFC 6238, appendix B. */
const rfcSecret = Secret.fromUTF8('12345678901234567890').base32

test.each([
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
  [20_000_000_000, '353130'],
])('the TOTP code at second %i equals the test vector of RFC 6238', (seconds, code) => {
  expect(totpStepOf(rfcSecret, code, new Date(seconds * 1_000))).toBe(Math.floor(seconds / 30))
})

test('TOTP codes from an independent implementation are accepted only for the previous, current and next time step', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1e9, max: 2e9 }), fc.integer({ min: -4, max: 4 }), (seconds, distance) => {
      const secret = newTotpSecret()
      const step = Math.floor(seconds / 30)
      const key = new Uint8Array(Secret.fromBase32(secret).bytes)
      const at = (step + distance) * 30_000
      const now = Date.now
      Date.now = () => at
      const code = generateTOTP(key, 30, 6)
      Date.now = now
      const found = totpStepOf(secret, code, new Date(seconds * 1_000))
      if (Math.abs(distance) <= 1) expect(found).toBe(step + distance)
      // By chance, the code of a time step outside the accepted range can equal the code of an accepted step
      // (about one in 300,000). The accepted step is then found instead.
      else expect(found === undefined || found !== step + distance).toBe(true)
    }),
  )
})

test('the URI in the TOTP QR code contains the service, the user and parameters that all apps support', () => {
  const uri = new URL(totpUri('JBSWY3DPEHPK3PXP', 'budi@example.com'))
  expect(uri.protocol).toBe('otpauth:')
  expect(decodeURIComponent(uri.pathname)).toContain('Gapura:budi@example.com')
  expect(Object.fromEntries(uri.searchParams)).toMatchObject({
    issuer: 'Gapura',
    secret: 'JBSWY3DPEHPK3PXP',
    digits: '6',
    period: '30',
  })
})

test('a TOTP secret has 160 random bits', () => {
  const secrets = Array.from({ length: 100 }, newTotpSecret)
  for (const secret of secrets) expect(Secret.fromBase32(secret).bytes).toHaveLength(20)
  expect(new Set(secrets).size).toBe(100)
})

test('the ten recovery codes differ, and are accepted in any letter case, with or without dashes and spaces', () => {
  const codes = newRecoveryCodes()
  expect(new Set(codes).size).toBe(10)
  for (const code of codes) {
    expect(code).toMatch(/^[a-hj-km-np-tv-z2-9]{5}-[a-hj-km-np-tv-z2-9]{5}$/)
    expect(normalizedCode(` ${code.toUpperCase().replace('-', ' ')} `)).toBe(normalizedCode(code))
  }
})
