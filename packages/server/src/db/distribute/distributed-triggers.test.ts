// Compares the trigger functions for a single PostgreSQL server with the trigger functions for a Citus
// cluster. The tests in this file run both on a single server. distribute.citus.test.ts runs the functions
// for a cluster on a cluster.

import { afterAll, expect, inject, test } from 'vitest'
import { testDatabase } from '../../../test/support/database.ts'
import { databaseUrl } from '../../../test/support/database-url.ts'
import { makeTenant } from '../../../test/support/make.ts'
import {
  endpointSql,
  entriesSql,
  eventSql,
  sealsSql,
  transfersSql,
} from '../../../test/support/trigger-statements.ts'
import { newId } from '../../values/id.ts'
import { createDb } from '../db.ts'
import { distributedTriggers } from './distributed-triggers.ts'

const { url, db } = await testDatabase()
const superuser = createDb(databaseUrl(inject('databaseUrls').adminUrl, new URL(url).pathname.slice(1)), {
  max: 1,
})
afterAll(() => superuser.destroy())

const [one, other] = [await makeTenant(db), await makeTenant(db)]
const [first, second] = ['11'.repeat(32), '22'.repeat(32)]

const results = `
  select 'balance' as of, tenant_id, mode, version::text as key, balance from balances
  union all select 'account', tenant_id, mode, account_id::text, balance from book_accounts
  union all select 'delivery', tenant_id, status, concat_ws(' ', event_id, endpoint_id, next_attempt_at), 0 from additional_deliveries
  order by 1, 2, 3, 4`

/**
 * Creates the given trigger functions and runs the statements. Returns the rows that the triggers wrote, or
 * the error.
 */
async function resultOf(form: readonly string[], statements: string[]) {
  const tx = await superuser.transaction()
  try {
    for (const sql of [...form, ...statements, 'set constraints all immediate']) await tx.raw(sql)
    return { rows: (await tx.raw(results)).rows }
  } catch (error) {
    const { code, message } = error as Error & { code: string }
    return { code, reason: message.split(' - ').at(-1) }
  } finally {
    await tx.rollback()
  }
}

const check = '23514'
const completing = [
  'alter table ledger_entries drop constraint ledger_entries_have_a_counter_account, disable trigger user',
  `alter table ledger_entries drop constraint ledger_entries_of_payments, enable trigger ledger_entries_are_completed`,
  'alter table book_accounts disable trigger user',
  entriesSql([[one, 1, 10, 10]]).replaceAll("'00000000-0000-0000-0000-000000000003'", 'null'),
  "update ledger_entries set counter_account = '00000000-0000-0000-0000-000000000003'",
  'alter table book_accounts enable trigger user',
]

const cases: [situation: string, statements: string[], code?: string][] = [
  [
    'entries of two tenants',
    [
      entriesSql([
        [one, 1, 10, 10],
        [one, 2, -3, 7],
        [other, 1, 5, 5],
      ]),
    ],
  ],
  [
    'entries in reverse order',
    [
      entriesSql([
        [one, 2, -3, 7],
        [one, 1, 10, 10],
      ]),
    ],
  ],
  [
    'entries that continue stored ones',
    [
      entriesSql([[one, 1, 10, 10]]),
      entriesSql([
        [one, 2, 1, 11],
        [one, 3, 1, 12],
      ]),
    ],
  ],
  ['a first entry that does not start from zero', [entriesSql([[one, 1, 10, 11]])], check],
  [
    'an entry that does not follow another new entry',
    [
      entriesSql([
        [one, 1, 10, 10],
        [one, 2, 10, 21],
      ]),
    ],
    check,
  ],
  [
    'an entry that does not follow a stored entry',
    [entriesSql([[one, 1, 10, 10]]), entriesSql([[one, 2, 10, 21]])],
    check,
  ],
  [
    'an entry of another tenant that does not follow',
    [
      entriesSql([
        [one, 1, 10, 10],
        [other, 2, 10, 20],
      ]),
    ],
    check,
  ],
  [
    'an entry after a gap between new entries',
    [
      entriesSql([
        [one, 1, 10, 10],
        [one, 3, 10, 20],
      ]),
    ],
    check,
  ],
  [
    'an entry after a gap between stored entries',
    [entriesSql([[one, 1, 10, 10]]), entriesSql([[one, 3, 10, 20]])],
    check,
  ],
  ['an entry without a balance', [entriesSql([[newId(), 1, 10, 10]])], '23503'],
  [
    'transfers of two tenants',
    [
      transfersSql([
        [one, 3],
        [one, 4],
        [other, 5],
      ]),
    ],
  ],
  ['a completed entry', completing],
  [
    'seals that follow each other',
    [
      entriesSql([
        [one, 1, 1, 1],
        [one, 2, 1, 2],
        [one, 3, 1, 3],
      ]),
      sealsSql([
        [one, 1, 2, '', first],
        [one, 3, 3, first, second],
      ]),
    ],
  ],
  [
    'a seal without the entry at its end',
    [entriesSql([[one, 1, 1, 1]]), sealsSql([[one, 1, 2, '', first]])],
    check,
  ],
  [
    'a first seal with a previous hash',
    [entriesSql([[one, 1, 1, 1]]), sealsSql([[one, 1, 1, second, first]])],
    check,
  ],
  [
    'a seal after a gap',
    [
      entriesSql([
        [one, 1, 1, 1],
        [one, 2, 1, 2],
      ]),
      sealsSql([[one, 2, 2, '', first]]),
    ],
    check,
  ],
  [
    'a seal with another previous hash',
    [
      entriesSql([
        [one, 1, 1, 1],
        [one, 2, 1, 2],
      ]),
      sealsSql([
        [one, 1, 1, '', first],
        [one, 2, 2, second, second],
      ]),
    ],
    check,
  ],
  [
    'events for additional endpoints',
    [
      endpointSql(one, 1),
      endpointSql(one, 2, { types: '{webhook.test}' }),
      endpointSql(one, 3, { types: '{payment.failed}' }),
      endpointSql(one, 4, { enabled: false }),
      endpointSql(one, 1, { mode: 'test' }),
      endpointSql(other, 1),
      eventSql(one),
    ],
  ],
]

test.each(cases)(
  'the triggers for a Citus cluster have the same result as the triggers for a single PostgreSQL server: %s',
  async (_, statements, code) => {
    const expected = await resultOf([], statements)
    expect(expected.code).toBe(code)
    expect(await resultOf(distributedTriggers, statements)).toEqual(expected)
  },
)

test('every statement-level trigger that reads new rows has a version for Citus clusters', async () => {
  const { rows } = await db.raw(
    'select distinct p.proname as name from pg_trigger t join pg_proc p on p.oid = t.tgfoid where tgnewtable is not null order by 1',
  )
  const replaced = distributedTriggers.map(sql => /function (\w+)/.exec(sql)?.[1])
  expect(replaced.sort()).toEqual(rows.map(({ name }: { name: string }) => name))
})
