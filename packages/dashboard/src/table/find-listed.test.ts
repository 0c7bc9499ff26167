import { expect, test } from 'vitest'
import { findListed } from './find-listed.ts'

const pages = [
  { items: [{ id: 'c' }, { id: 'b' }], next_cursor: '1' },
  { items: [{ id: 'a' }], next_cursor: null },
]
const fetchPage = async (cursor = '0') => pages[Number(cursor)] ?? expect.fail(`no page ${cursor}`)

test('an item on a later page of a list is found', async () => {
  expect(await findListed('a', fetchPage)).toEqual({ id: 'a' })
})

test('an item that is no longer in a list is not found', async () => {
  expect(await findListed('removed', fetchPage)).toBeUndefined()
})
