// Tests notices about problems on a Citus cluster (test/support/citus-cluster.ts). Its nodes are PostgreSQL
// servers: one coordinator and several workers. A test's tenants are on different nodes.

import { randomBytes } from 'node:crypto'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { type CitusNode, coordinator, runOn } from '../../../test/support/citus-cluster.ts'
import { nodeOf } from '../../../test/support/citus-service.ts'
import { distributedDatabase } from '../../../test/support/distributed-database.ts'
import { insertPendingPayment, later, makePayment, makeTenant, now } from '../../../test/support/make.ts'
import {
  makeUsers,
  moneyOfUnknownReference,
  noticeMails,
  webhookDeliveries,
} from '../../../test/support/notices.ts'
import { refundOf } from '../../../test/support/tenant-with-all-rows.ts'
import { createApiKey } from '../../auth/api-keys/create-api-key.ts'
import { rotateApiKey } from '../../auth/api-keys/rotate-api-key.ts'
import { findConditions } from '../../notices/find-conditions.sql.ts'
import { insertPaymentInBatch } from '../../payments/payment.sql.ts'
import { recordEvents } from '../../payments/record/record-event.ts'
import { insertUnexpectedMoney } from '../../payments/record/unexpected-money.sql.ts'
import { deriveSecrets } from '../../secrets/secrets.ts'
import { findOwnerId } from '../../tenants/tenant.sql.ts'
import { createDb, type Db } from '../db.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

describe.skipIf(!coordinator)('notices about problems are sent on a Citus cluster', () => {
  const { cluster, servicePool } = distributedDatabase()
  let db: Db
  let owner: Db
  beforeEach(async () => {
    db = await servicePool()
    owner = createDb(cluster().url, { max: 2 })
    onTestFinished(() => owner.destroy())
    if ((await findOwnerId(db)) === undefined)
      await makeUsers(db, await makeTenant(db, { role: 'owner' }), 'owner')
  })

  /** Inserts a live payment whose charge has an unknown outcome and for which no more inquiries are sent. */
  async function insertUnknownPayment(tenantId: string): Promise<string> {
    const payment = makePayment({ tenantId, mode: 'live', status: 'charging', transitionCount: 0 })
    await insertPaymentInBatch(db, { ...payment, methodData: null, providerPaymentId: null })
    const unknown = { type: 'outcome_unknown', reason: 'no answer', nextCheckAt: now } as const
    const event = { tenantId, paymentId: payment.id, event: unknown, cause: 'create' } as const
    await db.transaction(tx => recordEvents(tx, [event], now))
    await setNextCheck(tenantId, payment.id, null)
    return payment.id
  }
  const setNextCheck = (tenantId: string, paymentId: string, at: Date | null) =>
    owner.raw('update payments set next_check_at = ? where tenant_id = ? and id = ?', [
      at,
      tenantId,
      paymentId,
    ])

  /**
   * Creates one tenant on each of two nodes. The tenants' users have email addresses that end with
   * `.<node>.<name>.example`.
   */
  async function clientsOnTwoNodes(name: string) {
    const clients: ReturnType<typeof clientOf>[] = []
    const nodes: (CitusNode | undefined)[] = []
    while (clients.length < 2) {
      const tenantId = await makeTenant(db)
      const node = await nodeOf(cluster(), tenantId)
      if (nodes.includes(node)) continue
      nodes.push(node)
      await makeUsers(db, tenantId, `${name}${nodes.length}`)
      clients.push(clientOf(tenantId))
    }
    return clients
  }
  const clientOf = (tenantId: string) => ({ tenantId, ...webhookDeliveries({ db, owner }, tenantId) })

  /**
   * Sends all notices that must be sent at the time `at`. Returns the addresses that received one and contain
   * the text `ending`.
   */
  async function mailedAt(at: Date, ending: string) {
    const { mailAt, textOf } = noticeMails(db)
    const addresses = (await mailAt(at)).filter(address => address.includes(ending)).sort()
    return { addresses, text: textOf() }
  }

  /** Returns the kinds of problems about which the Owner must be notified at the time `at`. */
  async function kindsAt(at: Date): Promise<string[]> {
    const found = await findConditions(db, 'the Owner', at)
    return found.filter(({ tenantId }) => tenantId === 'the Owner').map(({ kind }) => kind)
  }

  test('on a cluster, a tenant gets an email if its callback URL fails for an hour', async () => {
    const [failing, alsoFailing] = await clientsOnTwoNodes('url')
    const [recovered, alsoRecovered] = await clientsOnTwoNodes('recovered')
    for (const client of [failing, alsoFailing, recovered, alsoRecovered]) {
      await client?.attempt(later(-61 * MINUTE), 200)
      await client?.attempt(now, 500)
      await client?.attempt(later(30 * MINUTE), null)
    }
    expect((await mailedAt(later(59 * MINUTE), '.example')).addresses).toEqual([])
    for (const client of [recovered, alsoRecovered]) await client?.attempt(later(59 * MINUTE), 200)
    const { addresses, text } = await mailedAt(later(HOUR), '.example')
    expect(addresses).toEqual(
      ['admin', 'developer'].flatMap(user => [`${user}@url1.example`, `${user}@url2.example`]),
    )
    expect(text).toContain('connection refused')
  }, 60_000)

  test('a problem whose database node has failed counts as unresolved and causes no second email', async () => {
    const [client, other] = await clientsOnTwoNodes('failed')
    for (const each of [client, other]) await each?.attempt(now, 500)
    await mailedAt(later(MINUTE), '@failed')
    expect((await mailedAt(later(HOUR), '@failed')).addresses).toHaveLength(4)
    const { rows } = await owner.raw<{ rows: { shard: string }[] }>(
      `select shard_name('webhook_attempts', get_shard_id_for_distribution_column('webhook_attempts', ?::uuid)) as shard`,
      [client?.tenantId as string],
    )
    const node = (await nodeOf(cluster(), client?.tenantId as string)) as CitusNode
    const role = new URL(cluster().serviceUrl).username
    const onShard = (change: string) =>
      runOn(
        cluster().urlOf(node),
        'set citus.enable_manual_changes_to_shards = on',
        `${change.replace('shard', rows[0]?.shard as string)} ${role}`,
      )
    await onShard('revoke select on shard from')
    await expect(mailedAt(later(61 * MINUTE), '@failed')).rejects.toThrow('permission denied')
    await onShard('grant select on shard to')
    expect((await mailedAt(later(62 * MINUTE), '@failed')).addresses).toEqual([])
  }, 60_000)

  test('on a cluster, a tenant gets an email if its additional endpoint fails for an hour', async () => {
    const urls: string[] = []
    for (const [n, { tenantId, endpoint, attemptAt }] of (await clientsOnTwoNodes('endpoint')).entries()) {
      const url = (name: string) => `https://erp${n}.example/${name}`
      const [failing, working] = [await endpoint(url('failing')), await endpoint(url('working'))]
      const disabled = await endpoint(url('disabled'))
      for (const minutes of [0, 20, 40]) {
        await attemptAt(working, later(minutes * MINUTE), minutes === 20 ? 500 : 200)
        await attemptAt(failing, later(minutes * MINUTE), 503)
        await attemptAt(disabled, later(minutes * MINUTE), 503)
      }
      await owner.raw('update additional_endpoints set enabled = false where tenant_id = ? and id = ?', [
        tenantId,
        disabled,
      ])
      urls.push(url('failing'))
    }
    expect((await mailedAt(later(59 * MINUTE), '@endpoint')).addresses).toEqual([])
    const { addresses, text } = await mailedAt(later(HOUR), '@endpoint')
    expect(addresses).toEqual(
      ['admin', 'developer'].flatMap(user => [`${user}@endpoint1.example`, `${user}@endpoint2.example`]),
    )
    for (const url of urls) expect(text).toContain(`${url}\n`)
    expect(text).toContain('status 503')
    expect(text).not.toMatch(/working|disabled/)
  }, 60_000)

  test('on a cluster, a tenant that still uses a replaced API key gets an email', async () => {
    const [client] = await clientsOnTwoNodes('key')
    const tenantId = client?.tenantId as string
    const app = { db, secrets: deriveSecrets(randomBytes(32)) }
    const limits = { scopes: [], allowedIps: [] }
    const { id } = await createApiKey(app, null, tenantId, { mode: 'live', name: 'web shop', ...limits })
    const rotatedAt = Date.now()
    await rotateApiKey(app, null, tenantId, { id, graceMinutes: 24 * 60 })
    const since = (ms: number) => new Date(rotatedAt + ms)
    expect((await mailedAt(since(HOUR), '@key')).addresses).toEqual([])
    await db.raw('update api_keys set last_used_at = ? where tenant_id = ?', [since(2 * HOUR), tenantId])
    expect((await mailedAt(since(3 * HOUR), '@key')).addresses).toEqual([
      'admin@key1.example',
      'developer@key1.example',
    ])
  }, 60_000)

  test('on a cluster, the Owner gets emails about unexpected money and unknown outcomes', async () => {
    const unknown: [tenantId: string, paymentId: string][] = []
    for (const { tenantId } of await clientsOnTwoNodes('outcome')) {
      const paymentId = await insertUnknownPayment(tenantId)
      const paid = await insertPendingPayment(db, { tenantId, mode: 'live', amount: 1_000n })
      const money = { type: 'paid', amountPaid: 1_000n, paidAt: now, reference: paid.paymentCode } as const
      const event = { tenantId, paymentId: paid.id, event: money, cause: 'callback' } as const
      await db.transaction(tx => recordEvents(tx, [event], now))
      await refundOf(db, paid)
      unknown.push([tenantId, paymentId])
    }
    await db.transaction(tx =>
      insertUnexpectedMoney(tx, [moneyOfUnknownReference('live'), moneyOfUnknownReference('test')]),
    )
    const { addresses, text } = await mailedAt(now, '@owner')
    expect(addresses).toEqual(
      ['admin', 'finance'].flatMap(user => [`${user}@owner.example`, `${user}@owner.example`]),
    )
    expect(text).toContain('1 live payments or reversals do not match')
    expect(text).toContain('For 4 live charges or refunds')
    for (const [tenantId, paymentId] of unknown) await setNextCheck(tenantId, paymentId, now)
    await owner.raw(`update unexpected_money set status = 'accepted', decided_at = now()`)
    expect(await kindsAt(later(MINUTE))).toEqual(['outcome_unknown'])
    await owner.raw(`update refunds set next_check_at = ?`, [now])
    expect(await kindsAt(later(2 * MINUTE))).toEqual([])
  }, 60_000)
})
