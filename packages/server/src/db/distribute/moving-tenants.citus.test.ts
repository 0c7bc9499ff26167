// Moves tenants between the workers of a Citus cluster, that is, PostgreSQL servers with a part of the rows each, while
// the service processes payments. Each payment is created, paid by callback, credited and reported by webhook.
// GAPURA_TEST_CITUS_SPARE_NODE is the address of a further server, for example 127.0.0.1:9713, which is added as a worker.

import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type CitusDatabase,
  type CitusNode,
  coordinator,
  distributedDatabase,
  runOn,
} from '../../../test/support/citus-cluster.ts'
import { citusService, nodeOf } from '../../../test/support/citus-service.ts'
import { fakeServer } from '../../../test/support/fake-server.ts'
import { makeTenant } from '../../../test/support/make.ts'
import { until } from '../../../test/support/merchant.ts'
import { entriesSql } from '../../../test/support/trigger-statements.ts'
import { startWorker } from '../../jobs/worker.ts'
import { lockPayments } from '../../payments/payment.sql.ts'
import { newWebhookSecret } from '../../webhooks/delivery/sign.ts'
import { createDb } from '../db.ts'
import { detectDistribution } from '../distributed-database.ts'
import { queryShards } from '../shard-query.ts'
import { inScope, scopeOfTenant } from '../tenant-scope.ts'

const spareNode = process.env.GAPURA_TEST_CITUS_SPARE_NODE
if (coordinator && !spareNode)
  process.stderr.write(
    'No node is added to the Citus cluster: GAPURA_TEST_CITUS_SPARE_NODE is not set. Tenants move between the workers.\n',
  )

const guide = readFileSync(join(import.meta.dirname, '../../../../../docs/guides/scaling.md'), 'utf8')
/**
 * The SQL statements of the guide. The first lists the owners of the distributed tables, and the second
 * splits off a tenant's shard.
 */
const [ownersSql = '', splitSql = ''] = [...guide.matchAll(/```sql\n(.*?)```/gs)].map(([, sql]) => sql)

/** Gives the tenant a shard of its own by splitting its current shard, and moves all parts to the node. */
const isolateSql = (tenantId: string, to: CitusNode) =>
  splitSql
    .replace('<tenant id>', tenantId)
    .replace("nodename = '10.0.0.7' and nodeport = 5432", `nodename = '${to.host}' and nodeport = ${to.port}`)

const moveSql = (shard: string, from: CitusNode, to: CitusNode) => `
  select citus_move_shard_placement(
    ${shard}, '${from.host}', ${from.port}, '${to.host}', ${to.port}, 'force_logical')`

const receiver = await fakeServer()

describe.skipIf(!coordinator)('tenants of a Citus cluster that move while payments run', () => {
  let cluster: CitusDatabase
  let moved: string
  let stop = async () => {}
  const tenants: string[] = []
  const created: { tenantId: string; id: string }[] = []
  const errors: { request: string; status: number; retryAfter: string | null }[] = []
  const webhooks: string[] = []

  beforeAll(async () => {
    cluster = await distributedDatabase()
    receiver.answers((response, { body }) => {
      webhooks.push(JSON.parse(body).data.id)
      response.end()
    })
    const endpoint = { callbackUrl: receiver.url, secret: newWebhookSecret(), previous: [] }
    const service = await citusService(cluster, { endpointOf: async () => endpoint })
    const only = ['callbacks', 'webhooks'] as const
    const worker = await startWorker(service.forJobs(), cluster.serviceUrl, { alone: true, only })
    stop = async () => {
      await worker.stop()
      await service.stop()
    }
    for (let n = 0; n < 4; n++) tenants.push(await makeTenant(service.app.db, { callbackUrl: receiver.url }))
    moved = tenants[0] as string

    /** Sends a request until it succeeds, as merchants and providers do. */
    async function repeat(request: string, send: () => Promise<Response>): Promise<Response> {
      for (;;) {
        const response = await send()
        if (response.status === 200) return response
        errors.push({ request, status: response.status, retryAfter: response.headers.get('retry-after') })
        await pause(500)
      }
    }
    const running = new AbortController()
    async function pay(tenantId: string): Promise<void> {
      const key = await service.keyOf(tenantId)
      while (!running.signal.aborted) {
        const idempotencyKey = randomUUID()
        const response = await repeat('create', () => service.create(key, idempotencyKey))
        const { data } = (await response.json()) as { data: { id: string; payment_code: string } }
        await repeat('callback', () => service.reportPaid(data.payment_code))
        created.push({ tenantId, id: data.id })
        await pause(20)
      }
    }
    const payers = tenants.map(pay)
    try {
      await until('payments run', () => created.length > 20)
      await moveTenants()
      const before = created.length
      await until('payments run after the moves', () => created.length > before + 20)
    } finally {
      running.abort()
      await Promise.all(payers)
      // A move leaves roles on the servers. The next move of another database would fail because of them.
      await runOn(cluster.url, 'call citus_cleanup_orphaned_resources()')
    }
    await until('every payment is reported by webhook', () =>
      created.every(({ id }) => webhooks.includes(id)),
    )
  }, 600_000)
  afterAll(async () => {
    await stop()
    await cluster.drop()
  })

  /**
   * Moves a tenant to its own shard on another worker, moves it back, and then moves it to the spare node
   * if there is one.
   */
  async function moveTenants(): Promise<void> {
    const home = (await nodeOf(cluster, moved)) as CitusNode
    const workers = cluster.nodes.filter(({ isCoordinator }) => !isCoordinator)
    const other = workers.find(node => node !== home) as CitusNode
    await runOn(cluster.url, isolateSql(moved, other))
    await move(other, home)
    if (!spareNode) return
    const [host = '', port] = spareNode.split(':')
    const spare = await cluster.addWorker({ host, port: Number(port) })
    await runOn(cluster.url, `select replicate_reference_tables('force_logical')`)
    await move(home, spare)
  }

  async function move(from: CitusNode, to: CitusNode): Promise<void> {
    const [row] = await runOn<{ shard: string }>(
      cluster.url,
      `select get_shard_id_for_distribution_column('payments', '${moved}'::uuid)::text as shard`,
    )
    await runOn(cluster.url, moveSql(row?.shard as string, from, to))
  }

  test('each distributed table has a primary key and the owner of payments, as a move requires', async () => {
    const tables = await runOn(
      cluster.url,
      `select c.relname from citus_tables t join pg_class c on c.oid = t.table_name
       where c.relreplident <> 'd' or not exists (select from pg_index where indrelid = c.oid and indisprimary)
         or c.relowner <> (select relowner from pg_class where oid = 'payments'::regclass)`,
    )
    expect(tables).toEqual([])
    expect(await runOn(cluster.url, ownersSql)).toHaveLength(1)
  })

  test('after the moves, the tenant has its own shard', async () => {
    const [shard] = await runOn(
      cluster.url,
      `select shardminvalue = shardmaxvalue as "isIsolated" from pg_dist_shard
       where shardid = get_shard_id_for_distribution_column('payments', '${moved}'::uuid)`,
    )
    expect(shard).toEqual({ isIsolated: true })
    if (spareNode) expect(`${(await nodeOf(cluster, moved))?.port}`).toBe(spareNode.split(':')[1])
  })

  test('during the moves, each request succeeds or gets 503 with Retry-After', () => {
    expect(errors.filter(({ status, retryAfter }) => status !== 503 || !retryAfter)).toEqual([])
  })

  test('each payment that was created during the moves is paid and credited once', async () => {
    const credits = await runOn<{ id: string }>(
      cluster.url,
      `select p.id, p.status, count(distinct e.id)::integer as credits, count(distinct t.number)::integer as transitions
       from payments p
       left join ledger_entries e on e.tenant_id = p.tenant_id and e.payment_id = p.id
       left join payment_transitions t on t.tenant_id = p.tenant_id and t.payment_id = p.id
       group by p.tenant_id, p.id, p.status`,
    )
    const expected = created.map(({ id }) => ({ id, status: 'paid', credits: 1, transitions: 2 }))
    const byId = (a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : 1)
    expect(credits.sort(byId)).toEqual(expected.sort(byId))
  })

  test('after the moves, the balance of each tenant is the sum of its payments and of its ledger entries', async () => {
    const balances = await runOn(
      cluster.url,
      `select b.tenant_id as "tenantId", b.balance, sum(e.amount)::bigint as entries
       from balances b join ledger_entries e on e.tenant_id = b.tenant_id and e.mode = b.mode
       group by b.tenant_id, b.mode, b.balance order by 1`,
    )
    expect(balances).toEqual(
      tenants.toSorted().map(tenantId => {
        const sum = String(10_000_000 * created.filter(payment => payment.tenantId === tenantId).length)
        return { tenantId, balance: sum, entries: sum }
      }),
    )
  })

  test('on the new shard, a statement in the scope of another tenant does not see the rows of the moved tenant', async () => {
    const pool = createDb(cluster.serviceUrl, { max: 1 })
    const visible = (scope: string) =>
      inScope(scopeOfTenant(scope), async () => {
        const { rows } = await pool.raw('select id from payments where tenant_id = ?', [moved])
        return rows.length > 0
      })
    try {
      expect([await visible(moved), await visible(tenants[1] as string)]).toEqual([true, false])
    } finally {
      await pool.destroy()
    }
  })

  test('on the new shard, an entry that does not follow the last entry is rejected, and entries cannot be deleted', async () => {
    const [last] = await runOn<{ version: string; balance: string }>(
      cluster.url,
      `select version, balance from balances where tenant_id = '${moved}' and mode = 'live'`,
    )
    const wrong = entriesSql([[moved, Number(last?.version) + 1, 10, Number(last?.balance) + 11]])
    await expect(runOn(cluster.url, wrong)).rejects.toThrow('does not follow the one before it')
    await expect(
      runOn(cluster.url, `delete from ledger_entries where tenant_id = '${moved}'`),
    ).rejects.toThrow('the ledger is append-only')
    await expect(
      runOn(cluster.url, `update balances set balance = balance + 1 where tenant_id = '${moved}'`),
    ).rejects.toThrow('is not what its last entry says')
  })

  test('while a transaction has locked a payment, the shard of its tenant cannot be moved', async () => {
    const pool = createDb(cluster.serviceUrl, { max: 1 })
    // Citus takes this lock (7 is the number of the lock mode EXCLUSIVE) before it moves or splits the shard.
    const block = () =>
      runOn(
        cluster.url,
        `set lock_timeout = '500ms'`,
        `select lock_shard_metadata(7, array[get_shard_id_for_distribution_column('payments', '${moved}'::uuid)])`,
      )
    try {
      await detectDistribution([pool])
      await pool.transaction(async tx => {
        const { tenantId, id: paymentId } = created.find(
          ({ tenantId }) => tenantId === moved,
        ) as (typeof created)[number]
        expect(await lockPayments(tx, [{ tenantId, paymentId }])).toHaveLength(1)
        await expect(block()).rejects.toThrow('lock timeout')
      })
      await block()
    } finally {
      await pool.destroy()
    }
  })

  test('queryShards, which the sweeps use, also reads a node whose only shard belongs to one tenant', async () => {
    const pool = createDb(cluster.serviceUrl, { max: 1 })
    try {
      await detectDistribution([pool])
      const rows = await queryShards<{ id: string }>(
        pool,
        'balances',
        'select distinct tenant_id as id from balances',
      )
      expect(rows.map(({ id }) => id).toSorted()).toEqual(tenants.toSorted())
    } finally {
      await pool.destroy()
    }
  })
})
