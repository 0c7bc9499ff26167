// Tests that the service verifies its own ledger. It verifies new entries when they are sealed (hashed), and the whole
// ledger daily.

import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { testDatabase } from '../../test/support/database.ts'
import {
  insertEarlierRefund,
  insertSecondPayment,
  ledgerDifferences,
  sell,
  shop,
  tamper,
} from '../../test/support/ledger.ts'
import { rejectedMailbox } from '../../test/support/notices.ts'
import { keyRingLoader } from '../auth/tokens/key-ring.ts'
import { issueLedgerStatement } from '../ledger/issue-statement.ts'
import { postTransfers } from '../ledger/ledger.sql.ts'
import { listOpenDifferences } from '../ledger/ledger-difference.sql.ts'
import { sealLedger } from '../ledger/seal-ledger.ts'
import { transfer } from '../ledger/transfer.ts'
import { createLog } from '../logging/log.ts'
import type { Mail } from '../mail/mail.ts'
import type { PaymentEvent } from '../payments/payment.ts'
import { recordEvents } from '../payments/record/record-event.ts'
import { loadSecrets } from '../secrets/secrets.ts'
import { newId } from '../values/id.ts'
import { mailLedgerDifferences } from './mail-ledger-differences.ts'
import {
  type ClaimedVerification,
  claimVerification,
  findLastVerification,
  storeVerificationProgress,
} from './verification.sql.ts'
import { verifyWholeLedger } from './verify-whole-ledger.ts'

const log = createLog('silent')
const publicUrl = 'https://pay.example.com'
const clock = () => new Date()
const going = new AbortController().signal

async function ledger() {
  const { db, url } = await testDatabase()
  const secrets = await loadSecrets(db, { masterKey: randomBytes(32) })
  const { tenantId, paid } = await shop(db, 3)
  return {
    db,
    tenantId,
    paid,
    tamper: (...statements: [string, unknown[]][]) => tamper(url, ...statements),
    /** Seals (hashes) all new ledger entries and signs a ledger statement. In operation, the workers do this. */
    async seal() {
      await sealLedger({ db, log })
      await issueLedgerStatement({ db, log, clock, keyRing: keyRingLoader(db, secrets, clock, publicUrl) }, 0)
    },
    verify: () => verifyWholeLedger({ db, log, providers: new Map() }, going),
    found: async () => (await listOpenDifferences(db, 100)).map(({ difference }) => difference),
    /** Moves the dates of all ledger verifications back by one day, as if a day had passed. */
    nextDay: () => tamper(url, ['update ledger_verifications set day = day - 1', []]),
  }
}

test('ledger verification finds no differences in correct credits, reversals, and refunds from earlier versions', async () => {
  const { db, tenantId, paid, seal, verify, found } = await ledger()
  const [paymentId] = paid as [string]
  const further = await insertSecondPayment(db, { tenantId, paymentId, amount: 500n })
  const record = (event: PaymentEvent) =>
    db.transaction(tx => recordEvents(tx, [{ tenantId, paymentId, event, cause: 'owner' }], clock()))
  await record({ type: 'paid_again', amount: 500n, unexpectedMoneyId: further })
  await insertEarlierRefund(db, { tenantId, paymentId, moneyId: further, amount: 500n })
  await record({ type: 'reversed', reason: 'deny', unexpectedMoneyId: newId() })
  await seal()
  expect(await verify()).toMatchObject({ entries: 6, payments: 4, differences: 0 })
  expect(await found()).toEqual([])
})

test.each<[string, string, object]>([
  [
    'an entry whose balance does not follow from the previous entry',
    `update ledger_entries set balance_after = balance_after + 1 where tenant_id = $1 and version = 5`,
    { kind: 'entry_does_not_follow', version: '5', expected: '50000000', found: '50000001' },
  ],
  [
    'a credit that differs from the amount paid',
    `update payments p set amount_paid = 9000000 from ledger_entries e
     where p.tenant_id = $1 and e.payment_id = p.id and e.version = 5`,
    { kind: 'credit_differs', expected: '9000000', found: '10000000' },
  ],
  [
    'a credit of a payment that is not paid',
    `update payments p set status = 'expired', paid_at = null, amount_paid = null from ledger_entries e
     where p.tenant_id = $1 and e.payment_id = p.id and e.version = 5`,
    { kind: 'credit_without_paid', status: 'expired', found: '10000000' },
  ],
  [
    'an entry whose payment does not exist',
    `update ledger_entries set payment_id = gen_random_uuid() where tenant_id = $1 and version = 5`,
    { kind: 'entry_without_payment', version: '5' },
  ],
  [
    'a debit without a record of the returned money',
    `update ledger_entries set entry_type = 'debit', balance_after = balance_after - 2 * amount
     where tenant_id = $1 and version = 5`,
    { kind: 'entry_without_money', version: '5' },
  ],
  [
    'a balance that differs from its last entry',
    `update balances set balance = balance + 7 where tenant_id = $1 and mode = 'live'`,
    { kind: 'balance_differs', expected: '50000000', found: '50000007' },
  ],
])(
  'verification during sealing (hashing) reports %s, but only in new ledger entries, and not in entries that were sealed before',
  async (_, sql, difference) => {
    const { db, tenantId, seal, found, tamper } = await ledger()
    await seal()
    await sell(db, tenantId, 2)
    await tamper([sql, [tenantId]])
    await seal()
    expect(await found()).toContainEqual(
      expect.objectContaining({ tenant_id: tenantId, mode: 'live', ...difference }),
    )
    expect((await found()).every(each => !('version' in each) || Number(each.version) > 3)).toBe(true)
  },
)

test('sealing (hashing) ledger entries logs an error with up to ten differences if an entry breaks a rule', async () => {
  const { db, tenantId, tamper } = await ledger()
  const errors: { differences?: object[] }[] = []
  const hearing = Object.assign(createLog('silent'), { error: (line: object) => void errors.push(line) })
  await sealLedger({ db, log: hearing })
  expect(errors).toEqual([])
  await sell(db, tenantId, 12)
  await tamper([
    `update ledger_entries set payment_id = gen_random_uuid() where tenant_id = $1 and version > 3`,
    [tenantId],
  ])
  await sealLedger({ db, log: hearing })
  expect(errors.map(({ differences }) => differences?.length)).toEqual([10])
})

test('the daily ledger verification reports changed entries until they are repaired and verified again', async () => {
  const { db, tenantId, seal, verify, found, tamper, nextDay } = await ledger()
  await seal()
  expect(await verify()).toMatchObject({ differences: 0 })
  const { rows } = await db.raw<{ rows: [{ reason: string }] }>(
    'select reason from ledger_entries where version = 1',
  )
  const [before] = rows
  await tamper([
    `update ledger_entries set reason = 'another' where tenant_id = $1 and version = 1`,
    [tenantId],
  ])
  expect(await verify(), 'it was verified today').toBeUndefined()
  expect(await found()).toEqual([])
  await nextDay()
  expect(await verify()).toMatchObject({ differences: 1 })
  expect(await found()).toEqual([
    expect.objectContaining({ kind: 'sealed_entries_differ', tenant_id: tenantId }),
  ])
  await tamper([
    `update ledger_entries set reason = $2 where tenant_id = $1 and version = 1`,
    [tenantId, before.reason],
  ])
  await nextDay()
  expect(await verify()).toMatchObject({ differences: 0 })
  expect(await found()).toEqual([])
})

test('only one process runs the daily ledger verification, and another restarts it if that process dies', async () => {
  const { verify, tamper } = await ledger()
  const outcomes = await Promise.all([verify(), verify(), verify()])
  expect(outcomes.filter(Boolean)).toHaveLength(1)
  await tamper([`update ledger_verifications set ended_at = null, beat_at = now() - interval '1 hour'`, []])
  expect(await verify()).toMatchObject({ entries: 3 })
})

test("if another process has restarted a ledger verification, the first process can no longer store the verification's progress", async () => {
  const { db, tamper } = await ledger()
  const counts = { balances: 1, entries: 2, sealedEntries: 2n, payments: 3 }
  const verified = { ...counts, ordersNotChecked: 0, statements: 0, differences: 0 }
  const first = (await claimVerification(db)) as ClaimedVerification
  expect(await storeVerificationProgress(db, first, verified, false)).toBe(true)
  await tamper([`update ledger_verifications set beat_at = now() - interval '1 hour'`, []])
  const second = (await claimVerification(db)) as ClaimedVerification
  expect(await storeVerificationProgress(db, first, { ...verified, entries: 5 }, true)).toBe(false)
  expect(await findLastVerification(db)).toMatchObject({ entries: 2, endedAt: null })
  expect(await storeVerificationProgress(db, second, verified, true)).toBe(true)
})

test('ledger entries posted during a verification are not reported as differences', async () => {
  const { db, tenantId, seal, verify } = await ledger()
  await sell(db, tenantId, 200)
  await seal()
  const [verified] = await Promise.all([
    verify(),
    ...Array.from({ length: 5 }, async () => {
      await sell(db, tenantId, 20)
      await seal()
    }),
  ])
  expect(verified).toMatchObject({ differences: 0 })
})

test('a user of the Owner gets one email about a ledger difference, even after failed emails', async () => {
  const { db, tenantId, seal, tamper } = await ledger()
  await db.raw(
    `insert into tenants (id, role, name, tier, status) select gen_random_uuid(), 'owner', 'Owner', tier, 'active'
                from tenants where id = ? on conflict do nothing`,
    [tenantId],
  )
  await db.raw(`insert into users (id, tenant_id, email, password_hash)
                select gen_random_uuid(), id, 'owner@example.com', 'x' from tenants where role = 'owner'`)
  await db.raw(`insert into users (id, tenant_id, email, password_hash)
                select gen_random_uuid(), id, 'rejected@example.com', 'x' from tenants where role = 'owner'`)
  await tamper([
    `update balances set balance = balance + 7 where tenant_id = $1 and mode = 'live'`,
    [tenantId],
  ])
  await seal()
  const mails: Mail[] = []
  const app = (sendMail: (mail: Mail) => Promise<void>) => ({
    db,
    clock,
    publicUrl,
    sendMail,
    log,
  })
  const away = app(() => Promise.reject(new Error('no mail server')))
  const there = app(async mail => {
    if (mail.to === 'rejected@example.com') throw rejectedMailbox()
    mails.push(mail)
  })
  await expect(mailLedgerDifferences(away)).rejects.toThrow('no user could be emailed')
  await mailLedgerDifferences(there)
  await mailLedgerDifferences(there)
  expect(mails).toEqual([
    expect.objectContaining({ to: 'owner@example.com', text: expect.stringContaining('found 1 difference') }),
  ])
})

test.each<[string, string, object]>([
  [
    'a changed counter-account of an entry',
    `update ledger_entries set counter_account = '00000000-0000-0000-0000-000000000003' where tenant_id = $1 and version = 2`,
    { account: 'fee:operator', expected: '-10000000', found: null },
  ],
  [
    'a changed balance of an account',
    `update book_accounts set balance = balance + 7 where tenant_id = $1 and account_id = '00000000-0000-0000-0000-000000000005'`,
    { account: 'refunds_in_transit', expected: '300', found: '307' },
  ],
  [
    'a removed transfer',
    'delete from book_transfers where tenant_id = $1',
    { account: 'refunds_in_transit', expected: '0', found: '300' },
  ],
])(
  'if the balance of a ledger account is wrong after %s, the daily verification reports this account',
  async (_, sql, difference) => {
    const { db, tenantId, paid, seal, verify, found, tamper, nextDay } = await ledger()
    const of = { tenantId, mode: 'live', paymentId: paid[0] as string, unexpectedMoneyId: null } as const
    const why = { referenceId: 'r', reason: 'a refund' }
    const transfers = [
      { ...of, ...why, ...transfer('provider', 'refunds_in_transit', 500n) },
      { ...of, ...why, ...transfer('refunds_in_transit', 'adjustment', 200n) },
    ]
    await db.transaction(tx => postTransfers(tx, transfers, clock()))
    await seal()
    expect(await verify()).toMatchObject({ entries: 3, differences: 0 })
    await tamper([sql, [tenantId]])
    await nextDay()
    await verify()
    expect(await found()).toContainEqual({
      kind: 'account_differs',
      tenant_id: tenantId,
      mode: 'live',
      ...difference,
    })
  },
)

test('the daily verification reports provider accounts whose ledger balance differs from an uploaded settlement', async () => {
  const { db, tenantId, paid, verify, found } = await ledger()
  const { rows } = await db.raw(
    'select provider_account_id as id, payment_code as code from payments where id = ?',
    [paid[0] as string],
  )
  const [{ id: accountId, code }] = rows
  await db.raw(
    `insert into provider_accounts (id, provider_code, mode, name, credentials_sealed)
     values (?, 'midtrans', 'live', 'an account', 'sealed')`,
    [accountId],
  )
  const settle = (date: string, amount: number) =>
    db.raw(
      `with settled as (
         insert into settlements (id, provider_account_id, date, lines, amount, uploaded_at)
         values (:id, :accountId, :date, 1, :amount, now())
         returning id)
       insert into settlement_lines (settlement_id, line, date, reference, status, amount, tenant_id, payment_id)
       select id, 2, :date, :code, 'paid', :amount, :tenantId, :paymentId from settled`,
      { id: newId(), accountId, date, code, amount, tenantId, paymentId: paid[0] as string },
    )
  await settle('2026-11-20', 10_000_000)
  expect(await verify()).toMatchObject({ differences: 0 })
  await settle('2026-11-21', 500)
  const differences = await ledgerDifferences({ db })
  expect(differences.filter(each => 'date' in each)).toEqual(
    ['2026-11-20', '2026-11-21'].map(date => ({
      ...{ kind: 'settlement_differs', provider_account_id: accountId, mode: 'live', date },
      ...{ tenant_id: tenantId, payment_id: paid[0] },
      ...{ expected: '10000500', found: '10000000' },
    })),
  )
  expect(await found()).toEqual([])
})
