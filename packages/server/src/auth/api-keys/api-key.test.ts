import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { modes } from '../../values/mode.ts'
import { displayPrefix, isApiKey, newApiKey } from './api-key.ts'

const keys = modes.flatMap(mode => Array.from({ length: 20 }, () => newApiKey(mode)))

describe('API keys', () => {
  test('an API key consists of its mode, 32 random characters and a 6-character checksum', () => {
    for (const mode of modes) {
      const key = newApiKey(mode)
      expect(key).toMatch(new RegExp(`^gp_${mode}_[0-9A-Za-z]{38}$`))
      expect(isApiKey(key)).toBe(true)
    }
  })

  test('generated API keys never repeat', () => {
    expect(new Set(keys).size).toBe(keys.length)
  })

  test('an API key ends with the CRC-32 of all preceding characters, in base 62', () => {
    // The checksums of the following API keys were computed with an independent CRC-32 implementation.
    expect(isApiKey('gp_test_000000000000000000000000000000004D39xK')).toBe(true)
    expect(isApiKey('gp_live_zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz04WQGT')).toBe(true)
    expect(isApiKey('gp_live_zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz04WQGU')).toBe(false)
  })

  test("in lists, only an API key's mode and its first four random characters are shown", () => {
    for (const key of keys) expect(displayPrefix(key)).toBe(key.slice(0, 'gp_live_'.length + 4))
  })
})

describe('mistyped API keys', () => {
  test('an API key with one character changed is rejected without a database query', () => {
    const character = fc.string({ minLength: 1, maxLength: 1, unit: 'binary-ascii' })
    fc.assert(
      fc.property(fc.constantFrom(...keys), fc.nat(45), character, (key, at, other) => {
        fc.pre(key[at] !== other)
        expect(isApiKey(key.slice(0, at) + other + key.slice(at + 1))).toBe(false)
      }),
      { numRuns: 5_000 },
    )
  })

  test('an API key with two neighboring characters swapped is rejected without a database query', () => {
    fc.assert(
      fc.property(fc.constantFrom(...keys), fc.nat(44), (key, at) => {
        fc.pre(key[at] !== key[at + 1])
        expect(isApiKey(`${key.slice(0, at)}${key[at + 1]}${key[at]}${key.slice(at + 2)}`)).toBe(false)
      }),
      { numRuns: 2_000 },
    )
  })

  test('a truncated or extended API key is rejected without a database query', () => {
    for (const key of keys) {
      for (let end = 0; end < key.length; end++) expect(isApiKey(key.slice(0, end))).toBe(false)
      for (const wrong of [`${key}0`, `0${key}`, `${key}\n`, ` ${key}`, key.toUpperCase()])
        expect(isApiKey(wrong)).toBe(false)
    }
  })

  test('an API key with the prefix of the other mode (live or test) is rejected without a database query', () => {
    for (const key of keys)
      expect(isApiKey(key.replace(/live|test/, mode => (mode === 'live' ? 'test' : 'live')))).toBe(false)
  })
})
