// Checks that the database itself rejects branding settings that break a rule.

import { beforeAll, expect, test } from 'vitest'
import { testDatabase } from '../../test/support/database.ts'
import { makeTenant } from '../../test/support/make.ts'
import { pictures, png } from '../../test/support/pictures.ts'
import { lockBranding, updateBranding } from './branding.sql.ts'
import { contrastWithWhite, MIN_CONTRAST } from './contrast.ts'

const { db } = await testDatabase()
let tenantId: string
beforeAll(async () => {
  tenantId = await makeTenant(db)
})

const none = { displayName: null, color: null, logo: null }
const logo = { type: 'image/png', data: png(), width: 3, height: 2 } as const
const set = (fields: object) =>
  db.transaction(async tx => {
    await lockBranding(tx, tenantId)
    return updateBranding(tx, tenantId, { ...none, ...fields })
  })

test("when branding settings with a logo are stored, the database itself computes the logo's hash", async () => {
  const stored = await set({ displayName: 'Toko Budi', color: '#0f766e', logo })
  expect(stored).toMatchObject({ displayName: 'Toko Budi', color: '#0f766e', logo })
  expect(stored.logo?.sha256).toMatch(/^[0-9a-f]{64}$/)
  expect((await set({ logo: { ...logo, data: png({ color: [0, 0, 0] }) } })).logo?.sha256).not.toBe(
    stored.logo?.sha256,
  )
  expect(await set({})).toEqual(none)
})

test.each([
  ['an empty name', { displayName: '' }],
  ['a name of 61 characters', { displayName: 'x'.repeat(61) }],
  ['a color in upper case', { color: '#0F766E' }],
  ['a color without its number sign', { color: '0f766e' }],
  ['a color that is too light for white text', { color: '#777777' }],
  ['a logo of more than 100 kB', { logo: { ...logo, data: Buffer.concat([png(), Buffer.alloc(100_000)]) } }],
  ['a logo that is wider than 1024 pixels', { logo: { ...logo, width: 1_025 } }],
  ['a logo that is higher than 1024 pixels', { logo: { ...logo, height: 1_025 } }],
  ['a logo without pixels', { logo: { ...logo, width: 0 } }],
  ['a logo whose content does not match its type', { logo: { ...logo, data: pictures.jpeg } }],
  ['a logo of another type', { logo: { ...logo, type: 'image/svg+xml', data: Buffer.from('<svg/>') } }],
  ['a logo without a type', { logo: { ...logo, type: null } }],
])('the database rejects a branding with %s', async (_, fields) => {
  await expect(set(fields)).rejects.toMatchObject({ code: '23514' })
})

test('the database accepts branding settings with a name of 60 multi-byte characters', async () => {
  const displayName = '🛍'.repeat(60)
  expect(await set({ displayName })).toMatchObject({ displayName })
})

test('the database and the service compute the same contrast with white for 1,001 different colors', async () => {
  const steps = [0, 8, 10, 11, 51, 94, 119, 128, 200, 255].map(step => step.toString(16).padStart(2, '0'))
  const colors = steps.flatMap(red => steps.flatMap(green => steps.map(blue => `#${red}${green}${blue}`)))
  const { rows } = await db.raw(
    'select color, contrast_with_white(color) as contrast from unnest(?::text[]) color',
    [[...colors, '#9a6c5a']],
  )
  expect(rows).toHaveLength(1_001)
  for (const { color, contrast } of rows) {
    expect(contrast).toBeCloseTo(contrastWithWhite(color), 9)
    expect([color, contrast >= MIN_CONTRAST]).toEqual([color, contrastWithWhite(color) >= MIN_CONTRAST])
  }
})
