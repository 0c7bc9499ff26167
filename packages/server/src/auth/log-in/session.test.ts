import fc from 'fast-check'
import { expect, test } from 'vitest'
import { later, now } from '../../../test/support/make.ts'
import { newRefreshToken, refreshTokenEnd, refreshTokenState } from './session.ts'

const token = { familyId: 'f', expiresAt: refreshTokenEnd(now), spentAt: null, revokedAt: null }

test('an unused refresh token is valid for thirty days', () => {
  const day = 86_400_000
  expect(refreshTokenState(token, now)).toBe('good')
  expect(refreshTokenState(token, later(30 * day - 1))).toBe('good')
  expect(refreshTokenState(token, later(30 * day))).toBe('over')
})

test('a refresh token works for ten seconds after its first use; a later use indicates theft', () => {
  const spent = { ...token, spentAt: now }
  expect(refreshTokenState(spent, later(9_999))).toBe('good')
  expect(refreshTokenState(spent, later(10_000))).toBe('reused')
  expect(refreshTokenState({ ...spent, expiresAt: now }, later(10_000))).toBe('reused')
})

test('a revoked refresh token is never valid', () => {
  fc.assert(
    fc.property(fc.nat(100 * 86_400_000), fc.option(fc.nat(86_400_000)), (atMs, spentMs) => {
      const revoked = { ...token, revokedAt: now, spentAt: spentMs === null ? null : later(spentMs) }
      expect(refreshTokenState(revoked, later(atMs))).toBe('over')
    }),
  )
})

test('every refresh token is unique and has 43 characters after its prefix', () => {
  const tokens = new Set(Array.from({ length: 100 }, newRefreshToken))
  expect(tokens.size).toBe(100)
  for (const each of tokens) expect(each).toMatch(/^gp_refresh_[\w-]{43}$/)
})
