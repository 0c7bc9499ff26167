// Simulates a full disk: triggers raise the errors that PostgreSQL would report.

import { expect, inject, test } from 'vitest'
import { createDb } from '../../src/db/db.ts'
import { testApp } from '../support/app.ts'
import { atEnd } from '../support/at-end.ts'
import { databaseUrl } from '../support/database-url.ts'
import { http, merchantOf } from '../support/merchant.ts'

const { demo, databaseUrl: url } = await testApp({ worker: false })
const superuser = createDb(databaseUrl(inject('databaseUrls').adminUrl, new URL(url).pathname.slice(1)), {
  max: 1,
})
atEnd(() => superuser.destroy())
const shop = merchantOf(demo)
const readiness = async () => {
  const response = await fetch(`${demo.base_url}/readyz`)
  return [response.status, ((await response.json()) as { checks: { storage: boolean } }).checks.storage]
}

/**
 * Makes inserts into `payments` and `workers` fail with the given SQLSTATE (error code). Returns a function that
 * removes the failure.
 */
async function failing(sqlstate: string): Promise<() => Promise<unknown>> {
  await superuser.raw(`
    create function fail() returns trigger language plpgsql as $$
      begin raise exception 'could not extend file' using errcode = '${sqlstate}'; end $$;
    create trigger payments_fail before insert on payments for each row execute function fail();
    create trigger workers_fail before insert on workers for each row execute function fail()`)
  return () => superuser.raw('drop function fail() cascade')
}

test('while the disk is full, create requests get a 503 that names this reason', async () => {
  expect(await readiness()).toEqual([200, true])
  const end = await failing('53100')
  const refused = await shop.create()
  expect([refused.status, refused.error]).toEqual([
    503,
    { code: 'SERVICE_UNAVAILABLE', message: 'service unavailable: storage is full; try again later' },
  ])
  expect(refused.headers.get('retry-after')).toBe('5')
  expect(await readiness()).toEqual([503, false])
  // Requests that only read existing data must succeed while the disk is full.
  const auth = `ApiKey ${demo.client.test_key}`
  expect((await http('GET', `${demo.base_url}/v1/payments`, { auth })).status).toBe(200)

  await end()
  expect(await readiness()).toEqual([200, true])
  expect((await shop.create()).status).toBe(200)
})

test.each([
  ['53200', 'the database is out of memory; try again'],
  ['53400', 'the database reached a limit of its configuration; try again'],
])(
  'a database error with SQLSTATE %s causes a 503 that names the reason, and the process stays ready',
  async (sqlstate, words) => {
    const end = await failing(sqlstate)
    const { status, error } = await shop.create()
    expect([status, error?.message]).toEqual([503, `service unavailable: ${words}`])
    expect(await readiness()).toEqual([200, true])
    await end()
  },
)
