// Tests that the emails about differences are not lost if the process that sends them ends. mail-notices.test.ts tests
// the same for notices.

import { expect, test } from 'vitest'
import { testDatabase } from '../../test/support/database.ts'
import { endWhileSending } from '../../test/support/end-while-sending.ts'
import { makeTenant, now } from '../../test/support/make.ts'
import { makeUsers } from '../../test/support/notices.ts'
import { storeReconciliationDifferences } from '../daily-reconciliation/difference.sql.ts'
import { mailReconciliationDifferences } from '../daily-reconciliation/mail-differences.ts'
import type { Db } from '../db/db.ts'
import { storeLedgerDifferences } from '../ledger/ledger-difference.sql.ts'
import { createLog } from '../logging/log.ts'
import { newId } from '../values/id.ts'
import { mailLedgerDifferences } from '../verification/mail-ledger-differences.ts'
import type { SendMail } from './send-mail.ts'

const storeLedger = (db: Db) =>
  storeLedgerDifferences(db, [
    { kind: 'balance_differs', tenant_id: newId(), mode: 'live', expected: '1', found: '2' },
  ])

const storeReconciliation = (db: Db) =>
  storeReconciliationDifferences(db, '2026-11-19', [
    {
      ...{ kind: 'missing_here', between: 'payments_provider', mode: 'live', detail: 'not found' },
      ...{ tenant_id: null, payment_id: null, payment_code: null, reference: 'INV-1', provider: 'midtrans' },
      ...{ provider_account_id: newId(), provider_payment_id: null, our_status: null, our_amount: null },
      ...{ ledger_amount: null, their_status: 'paid', their_amount: 100, source: 'settlement' },
    },
  ])

test.each([
  ['ledger', storeLedger, mailLedgerDifferences],
  ['reconciliation', storeReconciliation, mailReconciliationDifferences],
] as const)(
  'if a process ends while it emails the Owner about %s differences, another process sends the emails later',
  async (name, store, mailDifferences) => {
    const { db } = await testDatabase()
    await makeUsers(db, await makeTenant(db, { role: 'owner' }), 'owner')
    await store(db)
    const recipients: string[] = []
    const send = (sendMail: SendMail) =>
      mailDifferences({
        ...{ db, clock: () => now, publicUrl: 'https://pay.example.com', log: createLog('silent') },
        sendMail,
      })
    const mailAgain = async () => {
      recipients.length = 0
      await send(async ({ to }) => void recipients.push(to))
      return recipients
    }

    await endWhileSending(send)
    expect(await mailAgain()).toEqual([])
    await db.raw(`update ${name}_differences set mail_claimed_until = now() - interval '1 second'`)
    expect(await mailAgain()).toContain('admin@owner.example')
    expect(await mailAgain()).toEqual([])
  },
)
