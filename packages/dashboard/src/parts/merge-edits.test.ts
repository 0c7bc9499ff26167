import { expect, test } from 'vitest'
import { mergeEdits } from './merge-edits.ts'

const base = { name: 'Toko Budi', sources: ['192.0.2.1/32'], above: null as number | null }

test('a settings form without edits takes over all newly fetched settings', () => {
  const stored = { name: 'Toko Siti', sources: [], above: 500 }
  expect(mergeEdits(base, base, stored)).toEqual({
    ...{ edits: {}, values: stored, base: stored, hasConflict: false },
  })
})

test('if another user changes other fields, the form shows the new values without a conflict', () => {
  const stored = { ...base, sources: ['198.51.100.0/24'], above: 500 }
  expect(mergeEdits(base, { ...base, name: 'Toko Siti' }, stored)).toEqual({
    edits: { name: 'Toko Siti' },
    values: { ...stored, name: 'Toko Siti' },
    base: stored,
    hasConflict: false,
  })
})

test('if another user changes an edited field, the form keeps the edit and reports a conflict', () => {
  const edited = { ...base, sources: ['192.0.2.1/32', '192.0.2.2/32'] }
  const stored = { ...base, sources: ['198.51.100.0/24'], above: 500 }
  const merged = mergeEdits(base, edited, stored)
  expect(merged).toEqual({
    edits: { sources: edited.sources },
    values: { ...edited, above: 500 },
    base: { ...base, above: 500 },
    hasConflict: true,
  })
  expect(mergeEdits(merged.base, merged.values, stored)).toEqual(merged)
})

test('if another user stores the value that the user entered, the field has no conflict', () => {
  const stored = { ...base, sources: [] }
  const merged = mergeEdits(base, stored, stored)
  expect(merged).toMatchObject({ base: stored, hasConflict: false })
  expect(mergeEdits(merged.base, merged.values, stored).edits).toEqual({})
})

test('if the user enters the original value again, the field takes the newly stored value', () => {
  const stored = { ...base, name: 'Toko Siti' }
  expect(mergeEdits(base, { ...base }, stored)).toMatchObject({
    edits: {},
    values: stored,
    hasConflict: false,
  })
})

test('an invalid amount counts as an edit of an empty amount', () => {
  expect(mergeEdits(base, { ...base, above: Number.NaN }, base).edits).toEqual({ above: Number.NaN })
})
