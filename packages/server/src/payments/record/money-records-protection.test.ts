// Tests that database constraints and triggers protect the records of received and returned money, even when a
// superuser writes to the database.

import { randomUUID } from 'node:crypto'
import { cp, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { emptyDatabase, testDatabase } from '../../../test/support/database.ts'
import { databaseUrl } from '../../../test/support/database-url.ts'
import { insertPendingPayment, later, makeTenant, now } from '../../../test/support/make.ts'
import { createDb } from '../../db/db.ts'
import { migrate } from '../../db/migrate/migrate.ts'
import { newId } from '../../values/id.ts'
import { findPaymentInBatch } from '../payment.sql.ts'
import { moneyReceivedEvent, type Payment, type PaymentEvent, type Receipt } from '../payment.ts'
import { recordEvents } from './record-event.ts'
import { recordAcceptedReturn } from './record-returns.ts'
import { insertUnexpectedMoney, listRecordsOfPayments } from './unexpected-money.sql.ts'
import { newRecord, type UnexpectedMoney } from './unexpected-money.ts'

const { url, db } = await testDatabase()
/** Connects as a superuser, who has all privileges, so that only constraints and triggers can reject a statement. */
const superuser = createDb(databaseUrl(inject('databaseUrls').adminUrl, new URL(url).pathname.slice(1)), {
  max: 2,
})
afterAll(() => superuser.destroy())

const RESTRICTED = { code: '23001' }
const TWICE = { code: '23505' }
const CHECK = { code: '23514' }

const AMOUNT = 100n
let payment: Payment
beforeEach(async () => {
  payment = await insertPendingPayment(db, { tenantId: await makeTenant(db), amount: AMOUNT })
})

const record = (...events: PaymentEvent[]) =>
  db.transaction(tx =>
    recordEvents(
      tx,
      events.map(event => ({ tenantId: payment.tenantId, paymentId: payment.id, event, cause: 'callback' })),
      now,
    ),
  )
const received = (amountPaid: bigint, receipt?: string): PaymentEvent =>
  moneyReceivedEvent(payment, {
    amountPaid,
    paidAt: now,
    reference: payment.paymentCode,
    ...(receipt !== undefined && { receipt }),
  } as { amountPaid: bigint; paidAt: Date } & Receipt)
const failed: PaymentEvent = { type: 'failed', reason: 'not wanted' }

async function records() {
  const { rows } = await db.raw(
    `select kind, coalesce(provider_id, receipt) as receipt, amount, credited, status
     from unexpected_money where payment_id = ? order by kind, 2, id`,
    [payment.id],
  )
  return rows.map((each: Record<string, unknown>) => Object.values(each))
}
const reversed = (): PaymentEvent => ({ type: 'reversed', reason: 'deny', unexpectedMoneyId: newId() })
const refundByHand = () =>
  db.raw(
    "update unexpected_money set status = 'refunded', decided_at = now() where payment_id = ? and status = 'open'",
    [payment.id],
  )
const balance = async () =>
  (await db.raw('select balance from balances where tenant_id = ? and mode = ?', [payment.tenantId, 'live']))
    .rows[0].balance
const current = async () => (await findPaymentInBatch(db, payment.tenantId, payment.id, null)) as Payment
const eventCount = async () =>
  Number(
    (await db.raw('select count(*) from webhook_events where payment_id = ?', [payment.id])).rows[0].count,
  )

describe('a report of received money updates the existing record of the same money or creates a new record', () => {
  test('if the reported amount grows before the operator decides, there is a single record with the largest amount', async () => {
    await record(received(40n, 'a'), received(60n, 'a'), received(50n, 'a'))
    await record(received(30n, 'b'))
    await record(received(45n, 'b'), received(20n, 'b'))
    expect(await records()).toEqual([
      ['underpaid', 'a', 60n, false, 'open'],
      ['underpaid', 'b', 45n, false, 'open'],
    ])
    expect((await current()).amountReceived).toBe(60n)
  })

  test('the record of an open second payment grows if the provider reports a larger amount', async () => {
    await record(received(100n, 'a'))
    for (const sum of [40n, 60n, 50n]) await record(received(sum, 'b'))
    expect(await records()).toEqual([['second_payment', 'b', 60n, false, 'open']])
  })

  test('the record of a second payment contains the largest reported amount, whatever the order of the reports', async () => {
    const told = (receipt: string, ...sums: bigint[]) => sums.map(sum => received(sum, receipt))
    await record(
      received(100n, 'a'),
      ...told('b', 40n, 45n, 60n, 50n),
      ...told('c', 60n, 40n),
      ...told('d', 40n, 60n),
    )
    for (const receipt of ['b', 'c', 'd'])
      expect(await records()).toContainEqual(['second_payment', receipt, 60n, false, 'open'])
  })

  test('the record of a refunded partial payment stays refunded, whatever the provider later reports about the partial payment', async () => {
    await record(received(40n, 'a'), failed)
    await refundByHand()
    await record(received(60n, 'a'))
    await record(received(60n, 'a'), received(40n, 'a'))
    expect(await records()).toEqual([
      ['underpaid', 'a', 40n, false, 'refunded'],
      ['underpaid', 'a', 20n, false, 'open'],
    ])
    expect(await current()).toMatchObject({ status: 'challenged', amountReceived: 60n })
  })

  test('a later report of another amount does not change an overpayment that was credited immediately', async () => {
    const told = (amount: bigint) => {
      const { tenantId, id: paymentId, provider, providerAccountId, paymentCode: reference } = payment
      const arrival = { tenantId, paymentId, provider, providerAccountId, reference, receipt: 'a', amount }
      const overpaid = { kind: 'overpaid', mode: 'live', expectedAmount: AMOUNT, credited: true } as const
      return insertUnexpectedMoney(db, [newRecord({ ...arrival, ...overpaid, paidAt: now }, now)])
    }
    await told(130n)
    await told(140n)
    expect(await records()).toEqual([['overpaid', 'a', 130n, true, 'open']])
  })

  test.each(['one batch', 'many'])(
    "if a partial payment grows to an overpayment, the database keeps one record for each (the provider's reports arrive in %s)",
    async way => {
      const told = [received(40n, 'a'), received(130n, 'a')]
      if (way === 'one batch') await record(...told)
      else for (const event of told) await record(event)
      expect(await records()).toEqual([
        ['overpaid', 'a', 130n, true, 'open'],
        ['underpaid', 'a', 40n, true, 'accepted'],
      ])
      expect(await balance()).toBe(130n)
    },
  )

  test("if a full amount follows a refunded partial payment, the remaining amount awaits the operator's decision", async () => {
    await record(received(40n, 'a'))
    await refundByHand()
    await record(failed)
    await record(received(100n, 'a'))
    expect(await records()).toEqual([
      ['underpaid', 'a', 40n, false, 'refunded'],
      ['underpaid', 'a', 60n, false, 'open'],
    ])
    expect(await balance()).toBe(0n)
  })

  test('an open partial payment is accepted if a report shows that its receipt paid the payment', async () => {
    await record(received(40n, 'a'), received(100n))
    expect(await records()).toEqual([['underpaid', 'a', 40n, false, 'open']])
    const [again] = await record(received(100n, 'a'))
    expect(again?.kind).toBe('unchanged')
    expect((await current()).receipt).toBe('a')
    expect(await records()).toEqual([['underpaid', 'a', 40n, true, 'accepted']])
    await record(received(100n, 'b'))
    expect(await records()).toEqual([
      ['second_payment', 'b', 100n, false, 'open'],
      ['underpaid', 'a', 40n, true, 'accepted'],
    ])
    expect(await balance()).toBe(100n)
  })
})

describe('a full payment can be reported without a receipt ID', () => {
  test('partial payments with a receipt ID are not part of a full amount reported without an ID', async () => {
    await record(received(20n), received(30n, 'a'), received(40n, 'b'), received(100n))
    expect(await records()).toEqual([
      ['underpaid', '', 20n, true, 'accepted'],
      ['underpaid', 'a', 30n, false, 'open'],
      ['underpaid', 'b', 40n, false, 'open'],
    ])
    expect(await balance()).toBe(100n)
  })
})

describe('a repeated report of a partial payment changes nothing, but a report of new money changes the payment', () => {
  test.each(['failed', 'expired', 'cancelled'] as const)(
    'a repeated report of a recorded partial payment never reopens a payment that is %s',
    async type => {
      await record(received(40n, 'a'), received(60n, 'b'), type === 'failed' ? failed : { type })
      const told = await eventCount()
      const again = [
        ...(await record(received(40n, 'a'), received(30n, 'a'))),
        ...(await record(received(40n, 'a'))),
      ]
      expect(again.map(each => each.kind)).toEqual(['unchanged', 'unchanged', 'unchanged'])
      expect((await current()).status).toBe(type)
      expect(await eventCount()).toBe(told)
    },
  )

  test('a repeated report of a partial payment is recognized, even if both reports are in the same batch', async () => {
    const events = [received(60n, 'b'), received(40n, 'a'), failed, received(40n, 'a')]
    expect((await record(...events)).at(-1)?.kind).toBe('unchanged')
    expect((await current()).status).toBe('failed')
  })

  test('a closed payment becomes challenged (held for review) if a report contains money that is not recorded yet', async () => {
    const ofAnotherTry = { ...received(40n, 'a'), reference: `${payment.paymentCode}-2` } as PaymentEvent
    for (const part of [received(41n, 'a'), received(10n, 'c'), ofAnotherTry]) {
      await record(received(40n, 'a'), received(60n, 'b'), failed)
      expect((await record(part))[0]?.kind).toBe('changed')
      expect((await current()).status).toBe('challenged')
    }
  })

  test('partial payment records are read from the database only if the payment was paid in part', async () => {
    const statements = async (...events: PaymentEvent[]) => {
      const seen: string[] = []
      const note = ({ sql }: { sql: string }) => seen.push(sql)
      db.on('query', note)
      await record(...events)
      db.off('query', note)
      return seen.filter(sql => sql.includes('unexpected_money')).length
    }
    expect(await statements({ type: 'expired' })).toBe(0)
    expect(await statements(received(40n, 'a'))).toBe(1)
    expect(await statements(failed)).toBe(0)
  })
})

describe('the database rejects forbidden changes to charge attempts, receipt ids and money records', () => {
  const refused = (sql: string, error = RESTRICTED) =>
    expect(superuser.raw(sql.replaceAll(':id', `'${payment.id}'`))).rejects.toMatchObject(error)

  test.each([
    'delete from payment_references where payment_id = :id',
    'truncate payment_references',
    "update payment_references set reference = 'another' where payment_id = :id",
    'update payment_references set payment_id = gen_random_uuid() where payment_id = :id',
    'update payment_references set tenant_id = gen_random_uuid() where payment_id = :id',
    'update payment_references set provider_account_id = gen_random_uuid() where payment_id = :id',
    "update payment_references set provider = 'another' where payment_id = :id",
    'update payment_references set number = 7 where payment_id = :id',
    'update payment_references set started_at = now() where payment_id = :id',
  ])('the database rejects a change or deletion of a charge attempt: %s', sql => refused(sql))

  test('the database accepts only one end of a charge attempt, and only with a reason', async () => {
    await refused('update payment_references set ended_at = now() where payment_id = :id', CHECK)
    await superuser.raw("update payment_references set ended_at = now(), reason = 'a' where payment_id = ?", [
      payment.id,
    ])
    await refused("update payment_references set reason = 'b' where payment_id = :id")
    await refused("update payment_references set ended_at = now() + '1 s' where payment_id = :id")
    await refused('update payment_references set ended_at = null, reason = null where payment_id = :id')
  })

  test('the database rejects changes to the order reference and the receipt id under which a payment was paid', async () => {
    await record(received(100n))
    for (const value of ["'another'", 'null'])
      await refused(`update payments set paid_reference = ${value} where id = :id`)
    await superuser.raw("update payments set receipt = 'a' where id = ?", [payment.id])
    for (const value of ["'b'", 'null'])
      await refused(`update payments set receipt = ${value} where id = :id`)
  })

  test("the database rejects changing or removing the time of a payment's first reversal", async () => {
    await record(received(100n))
    await record(reversed())
    for (const value of ["now() + '1 day'", 'null'])
      await refused(`update payments set reversed_at = ${value} where id = :id`)
  })

  test.each([
    "kind = 'late'",
    "receipt = 'another'",
    'amount = 39',
    'tenant_id = gen_random_uuid()',
    'payment_id = gen_random_uuid()',
    'tenant_id = null, payment_id = null',
  ])('the database rejects an update of a record of received money that sets %s', async change => {
    await record(received(40n, 'a'))
    await refused(`update unexpected_money set ${change} where payment_id = :id`)
  })

  test.each(["status = 'open', decided_at = null", 'credited = false', 'amount = 41'])(
    'after a decision on received money, the database rejects the change %s, which would undo the decision',
    async change => {
      await record(received(40n, 'a'))
      await record(received(100n, 'a'))
      await refused(`update unexpected_money set ${change} where payment_id = :id`)
    },
  )

  test('the database rejects a larger amount in the record of received money that was credited immediately', async () => {
    await record(received(130n, 'a'))
    await refused('update unexpected_money set amount = 140 where payment_id = :id')
  })

  test('the database rejects any change to the record of received money that has been refunded', async () => {
    await record(received(40n, 'a'))
    await refundByHand()
    for (const change of ["status = 'accepted'", 'credited = true', "reason = 'another'", 'amount = 41'])
      await refused(`update unexpected_money set ${change} where payment_id = :id`)
  })

  test('[M30] the database rejects a second debit of a refund that was debited and not credited back', async () => {
    const key = { tenantId: payment.tenantId, paymentId: payment.id }
    const returns = [{ kind: 'refund', id: 'rf-1', amount: 40n, status: 'succeeded' } as const]
    await db.transaction(tx =>
      recordEvents(
        tx,
        [
          {
            ...{ ...key, event: received(AMOUNT, 'r-1'), cause: 'callback' },
            reportedReturns: { reference: payment.paymentCode, returns },
          },
        ],
        now,
      ),
    )
    const debitAgain = (receipt: string) =>
      superuser.transaction(async tx => {
        const [known] = await listRecordsOfPayments(tx, [key])
        const second = { ...known, id: newId(), receipt, round: 2, amount: 30n } as UnexpectedMoney
        await insertUnexpectedMoney(tx, [second])
        await recordAcceptedReturn(tx, key, second, { cause: 'callback', reason: '', at: now })
      })
    await expect(debitAgain('rf-1')).rejects.toMatchObject({
      ...CHECK,
      constraint: 'refunds_are_posted',
    })
    await debitAgain('rf-2')
  })

  test('the database rejects a second record for the same accepted partial payment, and for the same overpayment', async () => {
    await record(received(40n, 'a'), received(130n, 'a'))
    for (const kind of ['underpaid', 'overpaid']) {
      const twice = `insert into unexpected_money select (jsonb_populate_record(m,
        jsonb_build_object('id', gen_random_uuid()))).* from unexpected_money m where payment_id = :id and kind = '${kind}'`
      await refused(twice, TWICE)
    }
  })
})

test("for payments older than receipt IDs, the migration stores the payment code as the paid order's reference", async () => {
  const directory = await mkdtemp(join(tmpdir(), 'gapura-migrations-'))
  const database = await emptyDatabase()
  const migrations = join(import.meta.dirname, '../../../migrations')
  const copy = async (isWanted: (name: string) => boolean) => {
    for (const name of (await readdir(migrations)).filter(isWanted))
      await cp(join(migrations, name), join(directory, name))
    await migrate(database.url, directory)
  }
  try {
    await copy(name => name < '0011')
    const [tenant, paid, pending] = [randomUUID(), randomUUID(), randomUUID()]
    await database.db.transaction(async tx => {
      for (const [id, code] of [
        [paid, 'GP261120-0000000001'],
        [pending, 'GP261120-0000000002'],
      ] as const) {
        await tx.raw(
          `insert into payments (tenant_id, id, mode, payment_code, idempotency_key, fingerprint, amount, currency,
             method_type, channel, method_detail, status, provider, provider_account_id, expiry_minutes, expires_at,
             created_at, updated_at)
           values (?, ?, 'live', ?, ?, sha256('a'), 100, 'IDR', 'qris', 'qris', '{}', 'pending', 'midtrans', ?, 60, ?, ?, ?)`,
          [tenant, id, code, code, randomUUID(), later(1), now, now],
        )
        await tx.raw('insert into payment_references values (?, ?, ?, ?)', [code, tenant, id, randomUUID()])
      }
      await tx.raw("insert into balances (tenant_id, mode) values (?, 'live')", [tenant])
      await tx.raw(
        `insert into ledger_entries values (?, ?, 'live', 1, ?, 'credit', 100, 100, 'r', 'received', now())`,
        [tenant, randomUUID(), paid],
      )
      await tx.raw("update payments set status = 'paid', paid_at = now(), amount_paid = 100 where id = ?", [
        paid,
      ])
    })
    await copy(() => true)
    const { rows } = await database.db.raw(
      'select paid_reference, receipt from payments order by payment_code',
    )
    expect(rows).toEqual([
      { paid_reference: 'GP261120-0000000001', receipt: null },
      { paid_reference: null, receipt: null },
    ])
  } finally {
    await database.drop()
    await rm(directory, { recursive: true })
  }
})
