// Processes payments on a Citus cluster, which consists of several PostgreSQL servers (nodes): one coordinator and
// several workers (test/support/citus-cluster.ts).

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { alwaysHealthy } from '../../../test/support/always-healthy.ts'
import {
  type CitusDatabase,
  commandsDuring,
  coordinator,
  distributedDatabase,
  ofOneShard,
  runOn,
  servicePool,
} from '../../../test/support/citus-cluster.ts'
import { fakeServer } from '../../../test/support/fake-server.ts'
import { insertPendingPayment, makeTenant, noCallbackRules, now } from '../../../test/support/make.ts'
import { until } from '../../../test/support/merchant.ts'
import { settlementCallback } from '../../../test/support/midtrans.ts'
import { callbackApplier } from '../../callbacks/apply-callbacks.ts'
import { callbackReceiver } from '../../callbacks/receive-callback.ts'
import { createLog } from '../../logging/log.ts'
import { moneyReceivedEvent, type Payment } from '../../payments/payment.ts'
import type { EventToRecord } from '../../payments/record/event-batch.ts'
import { recordEventsOfKnown } from '../../payments/record/record-known.ts'
import { accountSlots } from '../../provider-accounts/account-slots.ts'
import { inquiryLimits } from '../../provider-accounts/inquiry-limits.ts'
import { midtrans } from '../../providers/midtrans/midtrans.ts'
import { newId } from '../../values/id.ts'
import { webhookDelivery } from '../../webhooks/delivery/deliver-webhooks.ts'
import type { Lease } from '../../webhooks/delivery/lease.ts'
import { newWebhookSecret } from '../../webhooks/delivery/sign.ts'
import { webhookAgent } from '../../webhooks/delivery/webhook-agent.ts'
import { batchedWrite } from '../batch/batched-write.ts'

const receiver = await fakeServer()

describe.skipIf(!coordinator)(
  'on a Citus cluster, payments are credited and their webhooks delivered',
  () => {
    let cluster: CitusDatabase

    beforeAll(async () => {
      cluster = await distributedDatabase()
    }, 300_000)
    afterAll(() => cluster.drop())

    test('on a cluster, each statement that credits a payment or delivers its webhook uses one shard', async () => {
      receiver.answers(response => response.end())
      const pool = await servicePool(cluster)
      const app = {
        ...{ db: pool, clock: () => new Date(), log: createLog('silent'), health: alwaysHealthy },
        publicUrl: 'https://pay.example.com',
        accountOf: async (id: string) => ({
          provider: midtrans,
          account: { id, mode: 'live' as const, credentials: { server_key: id }, baseUrl: null },
          callbackRules: noCallbackRules,
        }),
      }
      const tenantId = await makeTenant(pool)
      await runOn(
        cluster.url,
        `insert into webhook_endpoints (tenant_id, callback_url, secret_sealed) values ('${tenantId}', '${receiver.url}', '')`,
      )
      const providerAccountId = newId()
      const { paymentCode } = await insertPendingPayment(pool, { tenantId, providerAccountId, amount: 100n })
      const paid = { paymentCode, amount: 1, transactionId: 't-1' }
      const body = Buffer.from(JSON.stringify(settlementCallback(providerAccountId, paid)))
      const called = { path: '/', headers: {}, body, clientAddress: '192.0.2.1' }
      const receive = async () =>
        expect(await callbackReceiver(app)('midtrans', providerAccountId, called)).toMatchObject({
          status: 200,
        })
      const onOtherWorker = () =>
        runOn<{ id: string }>(
          cluster.url,
          `select c.id from provider_callbacks c
         join citus_shards s on s.shardid = get_shard_id_for_distribution_column('provider_callbacks', c.id)
         join citus_shards p on p.shardid = get_shard_id_for_distribution_column('payments', '${tenantId}'::uuid)
         where c.provider_account_id = '${providerAccountId}' and s.nodeport <> p.nodeport`,
        )
      // Repeats the callback until a copy of it is stored on a different worker than the payment, because the
      // test applies such a copy.
      let callbacks: { id: string }[] = []
      while (callbacks.length === 0) {
        expect(await commandsDuring(receive)).toEqual(ofOneShard)
        callbacks = await onOtherWorker()
      }

      const applier = callbackApplier(app, accountSlots(200), inquiryLimits(app.clock))
      const ids = callbacks.map(({ id }) => id)
      expect(await commandsDuring(() => applier.applyBatch(ids))).toEqual(ofOneShard)
      const of = `where tenant_id = '${tenantId}'`
      expect(
        await runOn(cluster.url, `select balance, version from balances ${of} and mode = 'live'`),
      ).toEqual([{ balance: '100', version: '1' }])
      expect(await runOn(cluster.url, `select status from payments ${of}`)).toEqual([{ status: 'paid' }])
      expect(await runOn(cluster.url, `select type from webhook_events ${of}`)).toEqual([
        { type: 'payment.paid' },
      ])

      const leases = await runOn<Lease>(
        cluster.url,
        `select tenant_id as "tenantId", event_id as "eventId", next_attempt_at as "expiresAt" from webhook_queue ${of}`,
      )
      const agent = webhookAgent(true)
      const endpoint = { callbackUrl: receiver.url, secret: newWebhookSecret(), previous: [] }
      const webhooks = webhookDelivery({ ...app, endpointOf: async () => endpoint, webhookAgent: agent })
      const deliver = async () => {
        await webhooks.deliver(leases)
        const attempts = await until('the delivery is recorded', async () => {
          const rows = await runOn(
            cluster.url,
            `select response_status as status from webhook_attempts ${of}`,
          )
          return rows.length > 0 && rows
        })
        expect(attempts).toEqual([{ status: 200 }])
        await webhooks.stop()
      }
      expect(await commandsDuring(deliver)).toEqual(ofOneShard)
      await agent.destroy()
      expect(receiver.received.map(({ headers }) => headers['webhook-id'])).toEqual(
        leases.map(({ eventId }) => eventId),
      )
      expect(await runOn(cluster.url, `select from webhook_queue ${of}`)).toEqual([])
    }, 60_000)

    test("a statement that reads all of a table's shards is reported as a cross-shard statement", async () => {
      const pool = await servicePool(cluster)
      const count = 'select count(*) from payments'
      expect(await commandsDuring(() => pool.raw(count))).toEqual({ ...ofOneShard, acrossShards: [count] })
    })

    test('the test helper detects a statement that Citus splits into several parts on the workers', async () => {
      const pool = await servicePool(cluster)
      const tenantId = newId()
      const parts = `with inserted as (
        insert into balances (tenant_id, mode) values ('${tenantId}', 'live') returning tenant_id
      ) insert into balances (tenant_id, mode) select '${tenantId}', 'test' from inserted returning tenant_id`
      const sent = await commandsDuring(() => pool.raw(parts))
      expect(sent.inParts).toEqual([parts])
    })

    test("on a cluster, concurrent events of several tenants' payments are recorded and credited in one batch per tenant", async () => {
      const pool = await servicePool(cluster)
      const payments: Payment[] = []
      for (let count = 0; count < 6; count++) {
        const tenantId = await makeTenant(pool)
        for (let each = 0; each < 2; each++)
          payments.push(await insertPendingPayment(pool, { tenantId, amount: 100n }))
      }
      const batches: number[] = []
      const record = batchedWrite('record_events', {
        run(on, events: EventToRecord[]) {
          batches.push(events.length)
          return recordEventsOfKnown(on, events, now)
        },
        tenantOf: event => event.tenantId,
      })
      await Promise.all(
        payments.map(payment => {
          const paid = { amountPaid: 100n, paidAt: now, reference: payment.paymentCode, receipt: 'a' }
          const event = moneyReceivedEvent(payment, paid)
          return record(pool, { tenantId: payment.tenantId, paymentId: payment.id, event, cause: 'callback' })
        }),
      )
      const ids = payments.map(({ tenantId }) => `'${tenantId}'`).join()
      const balances = await runOn(
        cluster.url,
        `select balance from balances where mode = 'live' and tenant_id in (${ids})`,
      )
      expect(balances).toEqual(Array.from({ length: 6 }, () => ({ balance: '200' })))
      expect(batches).toEqual([2, 2, 2, 2, 2, 2])
    }, 60_000)
  },
)
