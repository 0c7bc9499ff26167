import { describe, expect, test } from 'vitest'
import { testDatabase } from '../../test/support/database.ts'
import { createDb } from './db.ts'
import { preparedStatement } from './prepared-statement.ts'

const { url, db, owner } = await testDatabase()

describe('statements with named parameters', () => {
  test('a statement with named parameters may use a parameter several times and may contain casts', async () => {
    const sum = preparedStatement<{ sum: number; again: string }>(
      'select :one::integer + :two::integer as sum, :one::text as again',
    )
    // PostgreSQL infers the type of the parameter `one` from its first use. The second use can still cast it
    // to text.
    await expect(sum(db, { one: 1, two: 2 })).resolves.toEqual([{ sum: 3, again: '1' }])
  })

  test('a statement with named parameters transfers amounts, timestamps, bytes and nulls unchanged, even in arrays', async () => {
    const echo = preparedStatement(
      'select * from unnest(:amounts::bigint[], :times::timestamptz[], :bytes::bytea[], :texts::text[]) as e (amount, at, bytes, text)',
    )
    const at = new Date('2026-01-31T16:59:59.500Z')
    const rows = await echo(db, {
      amounts: [9007199254740993n, null],
      times: [at, null],
      bytes: [Buffer.from([0, 0xff, 0x5c]), Buffer.alloc(0)],
      texts: ['{"a": "\\"\' ,}"}', null],
    })
    expect(rows).toEqual([
      { amount: 9007199254740993n, at, bytes: Buffer.from([0, 0xff, 0x5c]), text: '{"a": "\\"\' ,}"}' },
      { amount: null, at: null, bytes: Buffer.alloc(0), text: null },
    ])
  })

  test('a statement with named parameters is prepared once per connection', async () => {
    const one = createDb(url, { max: 1 })
    const answer = preparedStatement('select :it::text as prepared_once')
    await answer(one, { it: 'a' })
    await answer(one, { it: 'b' })
    const { rows } = await one.raw(
      `select calls.generic_plans + calls.custom_plans as calls from pg_prepared_statements calls
       where statement like '%prepared_once%'`,
    )
    await one.destroy()
    expect(rows).toEqual([{ calls: 2n }])
  })

  test('if a transaction is rolled back, the changes of its statements with named parameters are rolled back too', async () => {
    await owner.raw('create table kept (id int); grant select, insert on kept to gapura')
    const insert = preparedStatement('insert into kept values (:id) returning id')
    await expect(
      db.transaction(async tx => {
        await expect(insert(tx, { id: 1 })).resolves.toEqual([{ id: 1 }])
        throw new Error('undone')
      }),
    ).rejects.toThrow('undone')
    const { rows } = await db.raw('select * from kept')
    expect(rows).toEqual([])
  })

  test('a statement with named parameters is rejected if its transaction has already ended', async () => {
    const answer = preparedStatement('select 1 as one')
    const tx = await db.transaction()
    await tx.commit()
    await expect(answer(tx, {})).rejects.toThrow('the transaction has ended')
  })

  test('if a statement with named parameters fails, its database connection returns to the pool', async () => {
    const one = createDb(url, { max: 1 })
    const divide = preparedStatement('select 1 / :by::integer as part')
    await expect(divide(one, { by: 0 })).rejects.toMatchObject({ code: '22012' })
    await expect(divide(one, { by: 1 })).resolves.toEqual([{ part: 1 }])
    await one.destroy()
  })
})

test("PostgreSQL reuses a prepared statement's generic plan, even for array parameters with one item", async () => {
  const known = preparedStatement<{ id: string }>(
    `select t.id from unnest(:ids::uuid[]) as k (id)
     cross join lateral (select id from tenants where id = k.id limit 1) t`,
  )
  await db.transaction(async tx => {
    for (let i = 0; i < 10; i++) await known(tx, { ids: ['01990000-0000-7000-8000-000000000001'] })
    const { rows } = await tx.raw(
      `select generic_plans from pg_prepared_statements where statement like 'select t.id from unnest%'`,
    )
    expect(rows).toEqual([{ generic_plans: 5n }])
  })
})
