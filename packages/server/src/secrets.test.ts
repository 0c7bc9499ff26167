import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { deriveSecrets } from './secrets.ts'

const secrets = deriveSecrets(Buffer.alloc(32, 1))
const stranger = deriveSecrets(Buffer.alloc(32, 2))

describe('a sealed secret', () => {
  test('opens at its place as what it was', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: 'binary' }),
        fc.string({ unit: 'grapheme' }),
        async (text, place) => {
          expect(await secrets.open(await secrets.seal(text, place), place)).toBe(text)
        },
      ),
    )
  })

  test('opens nowhere else', async () => {
    const sealed = await secrets.seal('server key', 'account 1')
    for (const place of ['account 2', '', 'account 1 ', 'Account 1'])
      await expect(secrets.open(sealed, place)).rejects.toThrow()
  })

  test('opens under no other master key', async () => {
    await expect(stranger.open(await secrets.seal('server key', 'account 1'), 'account 1')).rejects.toThrow()
  })

  test('with one bit changed anywhere does not open', async () => {
    const parts = (await secrets.seal('server key', 'account 1'))
      .split('.')
      .map(part => Buffer.from(part, 'base64url'))
    const places = parts.flatMap((part, index) => Array.from(part, (_, at) => ({ index, at })))
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...places), fc.nat(7), async ({ index, at }, bit) => {
        const changed = parts.map(part => Buffer.from(part))
        const part = changed[index] as Buffer
        part.writeUInt8(part.readUInt8(at) ^ (1 << bit), at)
        await expect(
          secrets.open(changed.map(each => each.toString('base64url')).join('.'), 'account 1'),
        ).rejects.toThrow()
      }),
      { numRuns: 500 },
    )
  })

  test('does not show what it holds, and looks different each time', async () => {
    const [one, other] = [
      await secrets.seal('server key', 'account 1'),
      await secrets.seal('server key', 'account 1'),
    ]
    expect(one).not.toBe(other)
    expect(one).not.toContain(Buffer.from('server key').toString('base64url'))
  })

  test('cannot be replaced by text that was never sealed', async () => {
    for (const text of ['', 'server key', 'a.b.c.d.e', '....'])
      await expect(secrets.open(text, '')).rejects.toThrow()
  })
})

describe('a hash', () => {
  test('is 32 bytes, the same each time, and keyed', () => {
    expect(secrets.hash('gp_live_x')).toHaveLength(32)
    expect(secrets.hash('gp_live_x')).toEqual(deriveSecrets(Buffer.alloc(32, 1)).hash('gp_live_x'))
    expect(secrets.hash('gp_live_x')).not.toEqual(stranger.hash('gp_live_x'))
    expect(secrets.hash('gp_live_x')).not.toEqual(secrets.hash('gp_live_y'))
  })
})
