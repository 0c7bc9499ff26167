import { expect, test } from 'vitest'
import { isDatabaseUnavailable } from '../database-errors.ts'
import { primaryFinder } from './find-primary.ts'

const servers = [
  { host: 'db-1', port: 5432 },
  { host: 'db-2', port: 5432 },
]
/**
 * The state of each server: its timeline (a number) if it is a primary, undefined if it is a standby, or the error that
 * it returns.
 */
type States = Record<string, number | undefined | Error>

function finderOver(states: States) {
  const asked: string[] = []
  const finder = primaryFinder(servers, async ({ host }) => {
    asked.push(host)
    const state = states[host]
    if (state instanceof Error) throw state
    return state
  })
  return { finder, asked, find: async () => (await finder.find()).host }
}

test('connections opened at the same time share one search for the primary database server', async () => {
  const { find, asked } = finderOver({ 'db-1': undefined, 'db-2': 1 })
  expect(await Promise.all([find(), find()])).toEqual(['db-2', 'db-2'])
  expect(await find()).toBe('db-2')
  expect(asked).toEqual(['db-1', 'db-2'])
})

test('after a promotion, the promoted database server is used even if the former primary accepts writes', async () => {
  const states: States = { 'db-1': 1, 'db-2': undefined }
  const { finder, find } = finderOver(states)
  expect(await find()).toBe('db-1')
  states['db-2'] = 2
  finder.forget()
  expect(await find()).toBe('db-2')
})

test('a restarted former primary is not used, even while the promoted server is unavailable', async () => {
  const states: States = { 'db-1': new Error('connection refused'), 'db-2': 2 }
  const { finder, find } = finderOver(states)
  expect(await find()).toBe('db-2')
  Object.assign(states, { 'db-1': 1, 'db-2': new Error('connection refused') })
  finder.forget()
  await expect(find()).rejects.toThrow(
    'no server accepts writes (db-1:5432: is a former primary: its timeline is 1, not 2; db-2:5432: connection refused)',
  )
})

test('if no database server accepts writes, finding the primary fails, and the next attempt asks the servers again', async () => {
  const states: States = { 'db-1': new Error('connection refused'), 'db-2': undefined }
  const { find } = finderOver(states)
  const error = await find().catch(reason => reason)
  expect([error.message, isDatabaseUnavailable(error)]).toEqual([
    'no server accepts writes (db-1:5432: connection refused; db-2:5432: does not accept writes)',
    true,
  ])
  states['db-2'] = 2
  expect(await find()).toBe('db-2')
})

test('if one database server never responds, another server is still found and used as the primary', async () => {
  const finder = primaryFinder(servers, ({ host }) =>
    host === 'db-1' ? new Promise(() => {}) : Promise.resolve(1),
  )
  expect((await finder.find()).host).toBe('db-2')
})
