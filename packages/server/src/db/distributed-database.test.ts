import { describe, expect, test } from 'vitest'
import { clusterPool } from '../../test/support/cluster-pool.ts'
import { asOwner, testDatabase } from '../../test/support/database.ts'
import { insertPendingPayment, makeTenant, now } from '../../test/support/make.ts'
import { sentWhile } from '../../test/support/sent-statements.ts'
import { findBalance } from '../ledger/ledger.sql.ts'
import { moneyReceivedEvent } from '../payments/payment.ts'
import { recordEvents } from '../payments/record/record-event.ts'
import { newId } from '../values/id.ts'
import type { Db } from './db.ts'
import { detectDistribution, isDistributed, shardedStatement } from './distributed-database.ts'

const { url, db } = await testDatabase()
const select = shardedStatement<{ id: string }>(
  only => `select k.id from unnest(:ids::uuid[]) as k (id) where true ${only('k.id')}`,
)

describe('only statements about one tenant on a distributed database get a condition that identifies the shard', () => {
  const [one, other] = [newId(), newId()]
  const conditionOf = async (of: Db, ids: string[]) => {
    const sent = await sentWhile(async () => {
      expect((await select(of, ids, { ids })).map(({ id }) => id)).toEqual(ids)
    })
    return sent.flatMap(({ text }) => /where true(.*)/.exec(text)?.[1]?.trim() ?? [])
  }

  test('on a distributed database, a statement about one tenant requires its ID in the sharding column', async () => {
    const cluster = await clusterPool(url)
    expect(await conditionOf(cluster, [one, one])).toEqual(['and k.id = $2'])
    const inTransaction = await cluster.transaction(tx => conditionOf(tx, [one]))
    expect(inTransaction).toContain('and k.id = $2')
  })

  test('on a distributed database, a statement about several tenants is not restricted to one', async () => {
    expect(await conditionOf(await clusterPool(url), [one, other])).toEqual([''])
  })

  test('on a single PostgreSQL server, a statement about one tenant has no additional condition for sharding', async () => {
    await detectDistribution([db])
    expect(isDistributed(db)).toBe(false)
    expect(await conditionOf(db, [one])).toEqual([''])
  })
})

test('on a distributed database, each statement that marks payments as paid or credits them concerns one tenant', async () => {
  const cluster = await clusterPool(url)
  // On a Citus cluster, the `distribute` command creates the function `hold_shard`. This test's database is
  // not a cluster, so the test creates the function.
  await asOwner(db, owner =>
    owner.raw(`create function hold_shard(tenant uuid) returns void language sql as 'select'`),
  )
  const tenantId = await makeTenant(cluster)
  const payment = await insertPendingPayment(cluster, { tenantId, amount: 100n })
  const event = moneyReceivedEvent(payment, {
    ...{ amountPaid: 100n, paidAt: now, reference: payment.paymentCode, receipt: 'a' },
  })
  const sent = await sentWhile(() =>
    cluster.transaction(tx =>
      recordEvents(tx, [{ tenantId, paymentId: payment.id, event, cause: 'callback' }], now),
    ),
  )
  expect(await findBalance(db, tenantId, 'live')).toBe(100n)
  const conditions = (text: string) => text.match(/(and|where) [pb]\.tenant_id = \$\d+/g)?.length ?? 0
  const joined = sent.filter(({ text }) => /for update|update payments/.test(text))
  // How many tenant conditions each of the three statements has. The first statement locks the payment and reads its
  // balance, the second updates the payment, and the third locks the balance.
  expect(joined.map(({ text }) => conditions(text))).toEqual([2, 1, 1])
})
