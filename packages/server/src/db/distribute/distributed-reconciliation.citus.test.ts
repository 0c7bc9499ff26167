// Runs the daily reconciliation on a Citus cluster, which consists of several PostgreSQL servers (nodes): one
// coordinator and several workers (test/support/citus-cluster.ts).

import { describe, expect, test } from 'vitest'
import { alwaysHealthy } from '../../../test/support/always-healthy.ts'
import { coordinator, runOn } from '../../../test/support/citus-cluster.ts'
import { distributedDatabase } from '../../../test/support/distributed-database.ts'
import { insertPendingPayment, later, makeTenant, noCallbackRules } from '../../../test/support/make.ts'
import { bankAccount } from '../../../test/support/refund-scene.ts'
import { listDifferences } from '../../daily-reconciliation/difference.sql.ts'
import { reconcileDueDay } from '../../daily-reconciliation/reconcile-due-day.ts'
import { createLog } from '../../logging/log.ts'
import { recordEvents } from '../../payments/record/record-event.ts'
import { createRefund } from '../../payments/refund/create-refund.ts'
import { inquiryLimits } from '../../provider-accounts/inquiry-limits.ts'
import { midtrans } from '../../providers/midtrans/midtrans.ts'
import type { AnyProvider } from '../../providers/provider.ts'
import { sumBooks } from '../../reports/payments-of-day.sql.ts'
import { periodOfDays } from '../../values/day.ts'
import { newId } from '../../values/id.ts'
import { firstPage } from '../list-order.ts'

const DAY = '2026-11-20'

describe.skipIf(!coordinator)(
  'on a Citus cluster, the daily reconciliation covers the payments of all tenants',
  () => {
    const { cluster, servicePool } = distributedDatabase()

    test("on a cluster, the daily reconciliation compares all tenants' payments with settlements and status inquiries", async () => {
      const db = await servicePool()
      const sql = (...statements: string[]) => runOn(cluster().url, ...statements)
      const [settledId, polledId, settlementId] = [newId(), newId(), newId()]
      for (const id of [settledId, polledId])
        await sql(
          `insert into provider_accounts (id, provider_code, mode, name, credentials_sealed)
         values ('${id}', 'midtrans', 'live', 'account ${id}', 'sealed')`,
        )
      await sql(
        `insert into settlements (id, provider_account_id, date, uploaded_at)
       values ('${settlementId}', '${settledId}', '${DAY}', now())`,
      )
      const references: string[] = []
      const keys: Parameters<typeof createRefund>[1][] = []
      const tenants: string[] = []
      for (let n = 0; n < 3; n++) {
        const tenantId = await makeTenant(db)
        tenants.push(tenantId)
        for (const providerAccountId of [settledId, polledId]) {
          const fields = { tenantId, providerAccountId, amount: 1_000n }
          const { id: paymentId, paymentCode: reference } = await insertPendingPayment(db, fields)
          references.push(reference)
          keys.push({ tenantId, paymentId, mode: 'live' })
          const event = { type: 'paid', amountPaid: 1_000n, paidAt: later(1), reference } as const
          await db.transaction(tx =>
            recordEvents(tx, [{ tenantId, paymentId, event, cause: 'callback' }], later(2)),
          )
          if (providerAccountId === settledId)
            await sql(
              `insert into settlement_lines (settlement_id, line, date, reference, status, amount, tenant_id, payment_id)
             values ('${settlementId}', ${n}, '${DAY}', '${reference}', 'paid', ${n === 1 ? 1_100 : 1_000}, '${tenantId}',
               '${paymentId}')`,
            )
        }
      }
      // The provider reports all payments as paid, except the last one, which is pending.
      const provider = {
        ...midtrans,
        inquire: async (_: unknown, { reference }: { reference: string }) => ({
          ...{ reference, providerPaymentId: 'be03df7d-2f97-4c8c-a53c-8959f1b67295' },
          fact:
            reference === references[5]
              ? { type: 'pending' }
              : { type: 'paid', amountPaid: 1_000n, paidAt: later(1), receipt: '' },
        }),
      } as unknown as AnyProvider
      const app = {
        ...{ db, log: createLog('silent'), health: alwaysHealthy, publicIp: undefined },
        clock: () => new Date('2026-11-21T07:00:00+07:00'),
        accountOf: async (id: string) => ({
          provider,
          account: { id, mode: 'live' as const, credentials: {}, baseUrl: null },
          callbackRules: noCallbackRules,
        }),
      }
      // This refund is made by bank transfer, so the provider still has the money and reports the payment as paid.
      const refunded = keys[1] as (typeof keys)[number]
      await createRefund(
        app,
        refunded,
        newId(),
        { bank_account: bankAccount },
        { byUser: false, unprovenUpTo: null },
      )
      const reconcile = () => reconcileDueDay(app, inquiryLimits(app.clock), new AbortController().signal)
      const open = async () =>
        (await listDifferences(db, { isOpen: true, mode: null, paymentId: null }, firstPage(), 100))
          .map(({ reference, kind }) => `${references.indexOf(reference)} ${kind}`)
          .sort()

      expect(await reconcile()).toMatchObject({ day: DAY, mode: 'live', left: 0n, differences: 2n })
      expect(await open()).toEqual(['2 amount', '5 missing_there'])

      await sql(
        `update settlement_lines set amount = 1000 where settlement_id = '${settlementId}'`,
        'delete from reconciliation_checks',
        'delete from reconciliation_runs',
      )
      await reconcile()
      expect(await open()).toEqual(['5 missing_there'])

      const day = { viewer: null, mode: 'live', date: DAY, period: periodOfDays(DAY, DAY) } as const
      expect(await sumBooks(db, day)).toMatchObject(
        tenants.map(tenantId => ({ tenantId, mode: 'live', paidCount: 2n, paidAmount: '2000' })),
      )
    }, 120_000)
  },
)
