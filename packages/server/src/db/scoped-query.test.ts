import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { testDatabase } from '../../test/support/database.ts'
import { makeTenant } from '../../test/support/make.ts'
import { batchedWrite } from './batch/batched-write.ts'
import { createDb, type Db } from './db.ts'
import { preparedStatement } from './prepared-statement.ts'
import { inScope, scopeOfTenant, unionOfScopes, withTenantInScope } from './tenant-scope.ts'

const { url, db, owner } = await testDatabase()

let one: string
let two: string
beforeAll(async () => {
  ;[one, two] = [await makeTenant(db), await makeTenant(db)]
})

/**
 * Returns a pool with only one connection, which all statements share. A statement that left its tenant scope (the
 * tenants whose rows are visible) on the connection would change the next statement's result and make the test fail.
 */
function single(): Db {
  const pool = createDb(url, { max: 1 })
  onTestFinished(() => pool.destroy())
  return pool
}
const select = preparedStatement<{ id: string; user: string }>(
  'select id, current_user as user from tenants order by id',
)
const idsOf = async (pool: Db) => (await select(pool, {})).map(({ id }) => id)
const rawIdsOf = async (pool: Db): Promise<string[]> =>
  (await pool.raw('select id from tenants order by id')).rows.map(({ id }: { id: string }) => id)
const settings = `select current_user as user, current_setting('gapura.tenants', true) as tenants`

describe.each([
  ['prepared', idsOf],
  ['made by the builder', rawIdsOf],
])('a statement in a tenant scope sees only the rows of the tenants in this scope (%s)', (_, ids) => {
  test('a statement sees only its own tenant scope, even if its connection was used for another scope before', async () => {
    const pool = single()
    for (let times = 0; times < 2; times++) {
      expect(await inScope(scopeOfTenant(one), () => ids(pool))).toEqual([one])
      expect(await ids(pool)).toEqual([one, two])
      expect(await inScope(scopeOfTenant(two), () => ids(pool))).toEqual([two])
    }
  })

  test('a statement within a transaction sees only the rows in the transaction’s tenant scope', async () => {
    const pool = single()
    await inScope(scopeOfTenant(one), () =>
      pool.transaction(async tx => {
        expect(await ids(tx)).toEqual([one])
        expect(await inScope(scopeOfTenant(two), () => ids(tx))).toEqual([one])
        expect(await inScope(undefined, () => ids(tx))).toEqual([one])
      }),
    )
    expect(await ids(pool)).toEqual([one, two])
    await pool.transaction(async tx => {
      expect(await inScope(scopeOfTenant(one), () => ids(tx))).toEqual([one, two])
    })
  })
})

test('after a statement, even a failed one, no tenant scope remains on its database connection', async () => {
  const pool = single()
  const divide = preparedStatement<{ part: number }>('select 1 / :by::integer as part')
  await inScope(scopeOfTenant(one), async () => {
    await expect(divide(pool, { by: 0 })).rejects.toMatchObject({ code: '22012' })
    await expect(pool.raw('select 1 / 0')).rejects.toMatchObject({ code: '22012' })
    await expect(pool.transaction(tx => tx.raw('select 1 / 0'))).rejects.toMatchObject({ code: '22012' })
  })
  expect((await pool.raw(settings)).rows).toEqual([{ user: 'gapura', tenants: '' }])
  await expect(inScope(scopeOfTenant(one), () => divide(pool, { by: 1 }))).resolves.toEqual([{ part: 1 }])
})

const pidOf = async (pool: Db): Promise<number> =>
  (await pool.raw('select pg_backend_pid() as pid')).rows[0].pid

test('a transaction whose scope cannot be set is rolled back, so its connection stays usable', async () => {
  const pool = single()
  const pid = await pidOf(pool)
  const scope = { tenants: [], partners: [one] }
  await owner.transaction(async locking => {
    await locking.raw('lock table tenants in access exclusive mode')
    const begun = inScope(scope, () => pool.transaction(async tx => idsOf(tx)))
    await expect(begun).rejects.toMatchObject({ code: '55P03' })
  })
  expect(await pidOf(pool)).toBe(pid)
  expect(await inScope(scope, () => pool.transaction(async tx => idsOf(tx)))).toEqual([one])
})

test('a connection on which a transaction is still open is not used again', async () => {
  const pool = single()
  const abandoned = await pidOf(pool)
  await pool.raw('BEGIN')
  expect(await pidOf(pool)).not.toBe(abandoned)
})

test('in a tenant scope, a statement with an unknown column fails with its error every time', async () => {
  const pool = single()
  const broken = preparedStatement('select nothing_there from tenants')
  for (let times = 0; times < 2; times++)
    await expect(inScope(scopeOfTenant(one), () => broken(pool, {}))).rejects.toMatchObject({ code: '42703' })
  expect(await inScope(scopeOfTenant(one), () => idsOf(pool))).toEqual([one])
})

test('a repeated statement is prepared only twice per connection: with and without a tenant scope', async () => {
  const pool = single()
  for (let times = 0; times < 10; times++) {
    await idsOf(pool)
    await inScope(scopeOfTenant(one), () => idsOf(pool))
  }
  const { rows } = await pool.raw(
    `select statement, generic_plans + custom_plans as times from pg_prepared_statements order by statement`,
  )
  expect(rows).toEqual([
    { statement: expect.stringContaining('from tenants'), times: 10n },
    { statement: expect.stringContaining('from tenants'), times: 10n },
    // The test executes the statement that sets the tenant scope ten times. It is executed once more when it
    // is prepared, which makes 11.
    { statement: expect.stringContaining('set_config'), times: 11n },
  ])
})

test('PostgreSQL inlines calls of set_tenants, so they cost no extra function call', async () => {
  const { rows } = await db.raw(`explain verbose select set_tenants('{}')`)
  expect(rows.map((row: { 'QUERY PLAN': string }) => row['QUERY PLAN'].trim())).toContain(
    "Output: set_config('gapura.tenants'::text, '{}'::text, true)",
  )
})

describe('batched writes', () => {
  const seen = batchedWrite('test', {
    tenantOf: (input: { of: string; answer?: string }) => input.of,
    tenantOfOutput: (output: { of: string; ids: string[] }) => output.of,
    async run(on, inputs) {
      const ids = await idsOf(on)
      return inputs.map(({ of, answer = of }) => ({ of: answer, ids }))
    },
  })

  test('a batch of writes runs in a scope with the tenants of all its callers', async () => {
    const answers = await Promise.all([
      inScope(scopeOfTenant(two), () => seen(db, { of: two })),
      inScope(scopeOfTenant(one), () => seen(db, { of: one })),
      seen(db, { of: one }),
    ])
    expect(answers.map(({ ids }) => ids)).toEqual([
      [one, two],
      [one, two],
      [one, two],
    ])
    expect((await inScope(scopeOfTenant(two), () => seen(db, { of: two }))).ids).toEqual([two])
    const another = await makeTenant(db)
    const [mine, service] = await Promise.all([
      inScope(scopeOfTenant(one), () => seen(db, { of: one })),
      seen(db, { of: two }),
    ])
    expect([mine.ids, service.ids]).toEqual([[one], [one, two, another]])
  })

  test("a batched write outside its caller's tenant scope is rejected without affecting the other writes", async () => {
    const [refused, right] = await Promise.allSettled([
      inScope(scopeOfTenant(one), () => seen(db, { of: two })),
      inScope(scopeOfTenant(two), () => seen(db, { of: two })),
    ])
    expect(refused).toMatchObject({
      reason: { message: expect.stringContaining("not in the caller's scope") },
    })
    expect(right.status).toBe('fulfilled')
  })

  test("a batched write never returns data of a tenant outside its caller's scope", async () => {
    await expect(inScope(scopeOfTenant(one), () => seen(db, { of: one, answer: two }))).rejects.toThrow(
      "not in the caller's scope",
    )
  })

  test("a Partner's writes are not batched with other callers' writes, because its Clients may be unknown", async () => {
    const partner = await makeTenant(db, { role: 'partner' })
    const client = await makeTenant(db, { parentId: partner })
    const [ofPartner, ofOne] = await Promise.all([
      inScope({ tenants: [], partners: [partner] }, () => seen(db, { of: client })),
      inScope(scopeOfTenant(one), () => seen(db, { of: one })),
    ])
    expect([ofPartner.ids, ofOne.ids]).toEqual([[partner, client], [one]])
  })
})

describe('tenant scopes', () => {
  test('a tenant scope contains each tenant once, even if a tenant is named twice', () => {
    const partner = { tenants: ['b'], partners: ['p'] }
    expect(unionOfScopes([scopeOfTenant('a'), partner, scopeOfTenant('a')])).toEqual({
      tenants: ['a', 'b'],
      partners: ['p'],
    })
  })

  test('a newly created tenant is added to the current tenant scope', async () => {
    const id = await inScope(scopeOfTenant(one), () =>
      withTenantInScope(two, async () => (await idsOf(db)).filter(each => [one, two].includes(each))),
    )
    expect(id).toEqual([one, two])
    const [first] = await withTenantInScope(two, () => select(db, {}))
    expect(first?.user).toBe('gapura')
  })
})
