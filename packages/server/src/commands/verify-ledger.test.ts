import { describe, expect, test } from 'vitest'
import { envOf, runCommand } from '../../test/support/command.ts'
import { testDatabase } from '../../test/support/database.ts'
import { insertEarlierRefund, insertSecondPayment, shop, tamper } from '../../test/support/ledger.ts'
import { makeTenant, now } from '../../test/support/make.ts'
import type { PaymentEvent } from '../payments/payment.ts'
import { recordEvents } from '../payments/record/record-event.ts'
import { newId } from '../values/id.ts'

describe('the command verify-ledger reports the differences in a ledger', () => {
  test('for a correct ledger, verify-ledger finds no differences and prints the number of rows it has read', async () => {
    const database = await testDatabase()
    await shop(database.db, 5)
    await makeTenant(database.db)
    const { code, stdout, stderr } = await runCommand(['verify-ledger'], envOf(database))
    expect([code, stdout], stderr).toEqual([0, '4 balances, 5 entries and 6 payments: they agree.\n'])
    const json = await runCommand(['verify-ledger', '--json'], envOf(database))
    expect([json.code, JSON.parse(json.stdout)]).toEqual([
      0,
      {
        differences: [],
        balances: 4,
        entries: 5,
        sealed_entries: 0,
        payments: 6,
        orders_not_checked: 0,
        statements: 0,
      },
    ])
  })

  test('verify-ledger accepts credits, reversals and refunds from earlier versions if they match the payments', async () => {
    const database = await testDatabase()
    const { db } = database
    const { tenantId, paid } = await shop(db, 1)
    const paymentId = paid[0] as string
    const further = await insertSecondPayment(db, { tenantId, paymentId, amount: 500n })
    const record = (event: PaymentEvent) =>
      db.transaction(tx => recordEvents(tx, [{ tenantId, paymentId, event, cause: 'owner' }], now))
    await record({ type: 'paid_again', amount: 500n, unexpectedMoneyId: further })
    await insertEarlierRefund(db, { tenantId, paymentId, moneyId: further, amount: 500n })
    await record({ type: 'reversed', reason: 'deny', unexpectedMoneyId: newId() })
    const { code, stdout, stderr } = await runCommand(['verify-ledger'], envOf(database))
    expect([code, stdout], stderr).toEqual([0, '2 balances, 4 entries and 2 payments: they agree.\n'])
  })

  test('if the ledger contains differences, verify-ledger reports exactly these differences and exits with 1', async () => {
    const database = await testDatabase()
    const { url } = database
    const [a, b, c, d, e, f, good] = [
      await shop(database.db, 3),
      await shop(database.db, 3),
      await shop(database.db, 3),
      await shop(database.db, 3),
      await shop(database.db, 3),
      await shop(database.db, 3),
      await shop(database.db, 3),
    ]
    await tamper(
      url,
      [
        `update ledger_entries set balance_after = balance_after + 1 where tenant_id = $1 and version = 2`,
        [a.tenantId],
      ],
      [`delete from ledger_entries where tenant_id = $1 and payment_id = $2`, [b.tenantId, b.paid[1]]],
      [`update balances set balance = balance + 7 where tenant_id = $1 and mode = 'live'`, [c.tenantId]],
      [
        `update payments set status = 'expired', paid_at = null, amount_paid = null where id = $1`,
        [d.paid[0]],
      ],
      [`update payments set amount_paid = 9000000 where id = $1`, [e.paid[2]]],
      [
        `update payments set status = 'paid', paid_at = now(), amount_paid = 10000000 where id = $1`,
        [e.pending],
      ],
      ['update payments set amount = 9000000 where id = $1', [f.pending]],
      ['update payments set fingerprint_version = 2 where id = $1', [good.pending]],
    )
    const {
      code,
      stdout,
      stderr: jsonErrors,
    } = await runCommand(['verify-ledger', '--json'], envOf(database))
    expect(code).toBe(1)
    const { differences } = JSON.parse(stdout) as { differences: Record<string, string>[] }
    const of = (tenantId: string) =>
      differences
        .filter(each => each.tenant_id === tenantId)
        .map(({ kind, version, payment_id, expected, found }) => ({
          kind,
          version,
          payment_id,
          expected,
          found,
        }))
    expect(of(a.tenantId)).toEqual([
      { kind: 'entry_does_not_follow', version: '2', expected: '20000000', found: '20000001' },
    ])
    expect(of(b.tenantId).map(({ kind }) => kind)).toEqual([
      'entry_is_missing',
      'entry_does_not_follow',
      'account_differs',
      'balance_differs',
      'paid_without_credit',
    ])
    expect(of(b.tenantId).at(-1)).toMatchObject({ payment_id: b.paid[1], expected: '10000000' })
    expect(of(c.tenantId)).toEqual([{ kind: 'balance_differs', expected: '30000000', found: '30000007' }])
    expect(of(d.tenantId)).toEqual([
      { kind: 'credit_without_paid', payment_id: d.paid[0], found: '10000000' },
    ])
    expect(of(e.tenantId)).toEqual(
      expect.arrayContaining([
        { kind: 'credit_differs', payment_id: e.paid[2], expected: '9000000', found: '10000000' },
        { kind: 'paid_without_credit', payment_id: e.pending, expected: '10000000' },
      ]),
    )
    expect(of(e.tenantId)).toHaveLength(2)
    expect(differences.filter(({ tenant_id }) => tenant_id === f.tenantId)).toEqual([
      {
        kind: 'order_differs',
        tenant_id: f.tenantId,
        mode: 'live',
        payment_id: f.pending,
        payment_code: expect.any(String),
        amount: '9000000',
        expected: expect.stringMatching(/^[0-9a-f]{64}$/),
        found: expect.stringMatching(/^[0-9a-f]{64}$/),
      },
    ])
    expect(of(good.tenantId)).toEqual([])

    const plain = await runCommand(['verify-ledger'], envOf(database))
    expect(plain.code).toBe(1)
    expect(plain.stdout.trim().split('\n')).toHaveLength(differences.length + 2)
    expect(plain.stdout).toContain(`order differs: tenant_id ${f.tenantId}`)
    expect(plain.stdout).toContain('\norders not checked: 1, ')
    expect(plain.stdout).toContain(`paid without credit: tenant_id ${b.tenantId}`)
    expect(plain.stdout).toContain(`: ${differences.length} differences.`)
    for (const { stderr } of [plain, { stderr: jsonErrors }]) {
      expect(
        stderr.match(/what to do about "balance differs": The rows were changed directly/g),
      ).toHaveLength(1)
      expect(stderr).toContain('what to do about "order differs": Ask the merchant for the original order')
      expect(stderr).not.toContain('what to do about "refund differs"')
    }
  })
})
