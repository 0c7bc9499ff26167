// Checks that a bug in a batched read or write cannot show one tenant another tenant's data from the same batch. To
// simulate a bug, the tests remove conditions from the statements.

import { randomUUID } from 'node:crypto'
import { globSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { testApp } from '../../../test/support/app.ts'
import { insertPendingPayment, makePayment } from '../../../test/support/make.ts'
import { sentWhile } from '../../../test/support/sent-statements.ts'
import { tenantWithAllRows } from '../../../test/support/tenant-with-all-rows.ts'
import { insertPaymentInBatch } from '../../payments/payment.sql.ts'
import type { Payment } from '../../payments/payment.ts'
import type { Db } from '../db.ts'
import { inScope, scopeOfTenant } from '../tenant-scope.ts'
import type { batchedRead } from './batched-read.ts'

type Key = Record<string, unknown>
type Read = (db: Db, key: Key) => Promise<object[]>
type Select = Parameters<typeof batchedRead>[1]['select']
type Made = { name: string; right: Read; forgetful: Read; blind: Read }

function withoutTenant(select: string): string {
  return select.replace(/\w+\.tenant_id = k\.tenant_id/g, '($& or true)')
}
function withoutKeys(select: string): string {
  return select.replace(/(\w+\.)?\w+ = k\.(?!scope)\w+/g, '($& or true)').replace(/\blimit 1\b/g, '')
}

const made = vi.hoisted(() => ({ reads: [] as Made[], writes: [] as string[] }))

vi.mock(import('./batched-read.ts'), async original => {
  const { batchedRead } = await original()
  /**
   * Returns a batched read whose select statement has no conditions. The read's key has one field for each
   * key column, with the same name.
   */
  const withSelect = (name: string, key: object, select: Select): Read =>
    batchedRead<Key, object>(name, {
      key: Object.fromEntries(
        Object.entries(key).map(([column, [type]]) => [column, [type, asked => asked[column] as string]]),
      ),
      select,
    })
  const noting: typeof batchedRead = (name, { key, select }) => {
    made.reads.push({
      name,
      right: withSelect(name, key, select),
      forgetful: withSelect(name, key, restrict => withoutTenant(select(restrict))),
      blind: withSelect(name, key, restrict => withoutKeys(select(restrict))),
    })
    return batchedRead(name, { key, select })
  }
  return { batchedRead: noting }
})
vi.mock(import('./batched-write.ts'), async original => {
  const actual = await original()
  const noting: typeof actual.batchedWrite = (name, write) => {
    made.writes.push(name)
    return actual.batchedWrite(name, write)
  }
  return { batchedWrite: noting }
})
const src = join(import.meta.dirname, '../..')
for (const file of globSync('**/*.sql.ts', { cwd: src })) await import(join(src, file))
const { postponeCheckInBatch } = await import('../../payments/inquire/next-check.sql.ts')
const { app } = await testApp({ worker: false })
const { db } = app

type Tenant = { id: string; key: Key; payment: Payment }
let mine: Tenant
let theirs: Tenant
beforeAll(async () => {
  ;[mine, theirs] = [await furnished(), await furnished()]
})

/**
 * Creates a tenant with rows in every table. Returns the tenant and the column values by which batched reads find
 * its rows.
 */
async function furnished(): Promise<Tenant> {
  const id = await tenantWithAllRows(db)
  const payment = await insertPendingPayment(db, { tenantId: id, idempotencyKey: randomUUID() })
  const { rows } = await db.raw('select key_hash as hash from api_keys where tenant_id = ?', [id])
  return {
    id,
    payment,
    key: { tenant_id: id, id: payment.id, mode: payment.mode, key: payment.idempotencyKey, ...rows[0] },
  }
}
const as = <T>({ id }: Tenant, run: () => Promise<T>): Promise<T> => inScope(scopeOfTenant(id), run)

/**
 * Returns the rows found by a read as sorted text, so that the tests can compare them. If the read failed,
 * returns the reason for the failure.
 */
const answerOf = (read: Promise<object[]>): Promise<string> =>
  read.then(
    rows => JSON.stringify(rows.map(row => JSON.stringify(row, bigintAsText)).sort()),
    ({ code, message }) => (code === '42501' ? 'refused' : `failed: ${message}`),
  )
const bigintAsText = (_: string, value: unknown) => (typeof value === 'bigint' ? String(value) : value)

/** Runs reads concurrently, checks that they shared one statement, and returns their results. */
async function together(reads: (() => Promise<string>)[]): Promise<string[]> {
  let answers: string[] = []
  const all = await sentWhile(async () => {
    answers = await Promise.all(reads.map(read => read()))
  })
  const sent = all.filter(({ text }) => text.includes('with ordinality'))
  // Exactly one statement shows that the reads were batched. If PostgreSQL rejects the batch because of missing
  // privileges, each read is retried separately, and this is not checked.
  if (!answers.includes('refused')) expect(sent).toHaveLength(1)
  expect(new Set(sent[0]?.scope)).toEqual(new Set([mine.id, theirs.id]))
  return answers
}

test('every batched read and write in the source code is tested for tenant isolation in this file', () => {
  expect(made.reads.length).toBeGreaterThan(5)
  expect([...new Set(made.writes)].sort()).toEqual(Object.keys(writes).sort())
})

describe.each(made.reads)('$name', ({ right, forgetful, blind }) => {
  const TIMES = 10

  async function leaks(read: Read, asked: Key): Promise<void> {
    const ask = (who: Tenant, by: Read, key: Key) => as(who, () => answerOf(by(db, key)))
    const [alone, own] = [await ask(mine, read, asked), await ask(theirs, read, theirs.key)]
    // The reads of the two tenants alternate. Neighboring keys in the batch therefore belong to different tenants,
    // whether the keys are looked up forward or backward.
    const reads = Array.from({ length: TIMES }, () => [
      () => ask(mine, read, asked),
      () => ask(theirs, read, theirs.key),
    ]).flat()
    const answers = await together(reads)
    expect(answers).toEqual(reads.map((_, index) => (index % 2 === 0 ? alone : own)))
    expect(['[]', 'refused', await ask(mine, right, mine.key), await ask(mine, blind, mine.key)]).toContain(
      alone,
    )
  }

  test("a batched read for two tenants returns to each tenant only that tenant's rows", async () => {
    const asService = await answerOf(right(db, theirs.key))
    expect(asService.length).toBeGreaterThan('[]'.length)
    const own = await as(theirs, () => answerOf(right(db, theirs.key)))
    expect([asService, 'refused']).toContain(own)
    await leaks(right, mine.key)
  })

  test('a batched read with the key of another tenant’s row returns nothing', async () => {
    await leaks(right, theirs.key)
  })

  test('a batched read returns no row of another tenant, even if its statement omits the tenant condition', async () => {
    const asked = { ...theirs.key, tenant_id: mine.id }
    await leaks(forgetful, asked)
    await leaks(forgetful, theirs.key)
  })

  test('a batched read returns no row of another tenant, even if its SQL contains no conditions', async () => {
    // Without a tenant scope, the statement finds the rows of both tenants. This proves that only the scope hides the
    // other tenant's rows.
    const everything = await answerOf(blind(db, mine.key))
    const own = await as(mine, () => answerOf(blind(db, mine.key)))
    expect(everything.length).toBeGreaterThan(own.length)
    await leaks(blind, mine.key)
    await leaks(blind, theirs.key)
  })
})

/**
 * All batched writes. `write` writes to the payment in the current tenant scope, in which only the scope's tenants
 * are visible. `isDone` returns whether the payment's data was changed.
 */
const writes: Record<
  string,
  { write(payment: Payment): Promise<unknown>; isDone(id: string): Promise<boolean> }
> = {
  insert_payments: {
    write: ({ tenantId }) => insertPaymentInBatch(db, makePayment({ tenantId, failureReason: null })),
    isDone: async tenantId => (await countOf('payments', tenantId)) > 2,
  },
  postpone_checks: {
    write: payment => postponeCheckInBatch(db, payment, new Date('2030-01-01')),
    isDone: async tenantId => (await countOf('payments', tenantId, `and next_check_at = '2030-01-01Z'`)) > 0,
  },
  record_events: {
    write: ({ tenantId, id: paymentId }) =>
      app.recordInBatch({
        tenantId,
        paymentId,
        event: { type: 'failed', reason: 'declined' },
        cause: 'inquiry',
      }),
    isDone: async tenantId => (await countOf('payments', tenantId, `and status = 'failed'`)) > 0,
  },
}

async function countOf(table: string, tenantId: string, rest = ''): Promise<number> {
  const { rows } = await db.raw(`select count(*)::integer from ?? where tenant_id = ? ${rest}`, [
    table,
    tenantId,
  ])
  return rows[0].count
}

describe.each(Object.entries(writes))('%s', (_, { write, isDone }) => {
  test('in a batch of two tenants, a write to the other tenant’s row is rejected', async () => {
    const [other, owner] = [await furnished(), await furnished()]
    const [refused, own] = await Promise.allSettled([
      as(other, () => write(owner.payment)),
      as(owner, () => write(owner.payment)),
    ])
    expect(refused).toMatchObject({
      reason: { message: expect.stringContaining("not in the caller's scope") },
    })
    expect(own.status).toBe('fulfilled')
    expect([await isDone(other.id), await isDone(owner.id)]).toEqual([false, true])
  })
})

// One transaction records the payment events of several tenants, so it may see the rows of all these tenants. Each
// run of the test removes the tenant condition from a different SQL statement.
test('a batch rejects an event for another tenant’s payment, even if its SQL lacks the tenant filter', async () => {
  const report = (tenantId: string, paymentId: string) =>
    app.recordInBatch({
      tenantId,
      paymentId,
      event: { type: 'failed', reason: 'declined' },
      cause: 'inquiry',
    })
  const [other, first] = [await furnished(), await furnished()]
  const sent = await sentWhile(() =>
    Promise.all([other, first].map(who => as(who, () => report(who.id, who.payment.id)))),
  )
  const broken = [...new Set(sent.map(({ text }) => text))].filter(text => text !== forgetful(text))
  expect(broken.length).toBeGreaterThanOrEqual(2)

  for (const text of broken) {
    const owner = await furnished()
    const query = pg.Client.prototype.query
    const breaking = vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (
      this: pg.Client,
      ...args: unknown[]
    ) {
      const asked = args[0] as { text?: string; name?: string }
      const [first, ...rest] = args
      const config = asked.text === text ? { ...asked, name: undefined, text: forgetful(text) } : first
      return Reflect.apply(query, this, [config, ...rest])
    } as typeof query)
    try {
      const [foreign] = await Promise.allSettled([
        as(other, () => report(other.id, owner.payment.id)),
        as(owner, () => report(owner.id, owner.payment.id)),
      ])
      expect(foreign.status, text).toBe('rejected')
    } finally {
      breaking.mockRestore()
    }
  }
})

const forgetful = (text: string): string =>
  text.replace(/(?<![\w.])(\w+\.)tenant_id = \w+\.tenant_id/g, '($& or true)')
