// Requests refunds for 1,000 payments at the same time from two processes of the service. The merchant's balance
// covers half of them.

import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { postTransfers } from '../../src/ledger/ledger.sql.ts'
import { transfer } from '../../src/ledger/transfer.ts'
import { recordEvents } from '../../src/payments/record/record-event.ts'
import { testApp } from '../support/app.ts'
import { freePort } from '../support/free-port.ts'
import { ledgerDifferences } from '../support/ledger.ts'
import { insertPendingPayment } from '../support/make.ts'
import { type Answer, http } from '../support/merchant.ts'
import { startOnDatabase } from '../support/service-on-database.ts'

const PAYMENTS = 1_000
const AMOUNT = 10_000n
/** The number of refund requests in flight at the same time. */
const AT_ONCE = 48

const made = await testApp()
const { app, demo } = made
const tenantId = demo.client.tenant_id
const providerAccountId = demo.provider_accounts.find(
  ({ provider, mode }) => provider === 'midtrans' && mode === 'live',
)?.id as string
const auth = `ApiKey ${demo.client.live_key}`

/**
 * Inserts a paid payment. The test never calls the provider, because the payment's channel does not support
 * refunds at the provider.
 */
async function paid(): Promise<string> {
  const { id, paymentCode: reference } = await insertPendingPayment(app.db, {
    ...{ tenantId, providerAccountId, amount: AMOUNT },
  })
  const at = app.clock()
  const event = { type: 'paid', amountPaid: AMOUNT, paidAt: at, reference } as const
  await app.db.transaction(tx =>
    recordEvents(tx, [{ tenantId, paymentId: id, event, cause: 'callback' }], at),
  )
  return id
}

async function refund(origin: string, paymentId: string): Promise<Answer> {
  for (;;) {
    const answer = await http('POST', `${origin}/v1/payments/${paymentId}/refunds`, {
      auth,
      body: { bank_account: { bank: 'BCA', number: '1234567890', holder_name: 'Budi Santoso' } },
      headers: { 'x-idempotency-key': `refund-${paymentId}` },
    })
    if (answer.status !== 429) return answer
    await sleep(Number(answer.headers.get('retry-after')) * 1_000)
  }
}

/** Calls `each` for every item, with a limited number of concurrent calls. */
async function concurrently<Item>(items: Item[], each: (item: Item) => Promise<void>): Promise<void> {
  const left = [...items]
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (let item = left.pop(); item !== undefined; item = left.pop()) await each(item)
    }),
  )
}

test('if two processes record 1,000 refunds at once, they accept exactly as many as the balance covers', async () => {
  const port = await freePort()
  await startOnDatabase(made, { port, publicUrl: app.publicUrl })
  const origins = [demo.base_url, `http://127.0.0.1:${port}`]
  const payments: string[] = []
  await concurrently([...Array(PAYMENTS).keys()], async () => void payments.push(await paid()))
  const half = (AMOUNT * BigInt(PAYMENTS)) / 2n
  await app.db.transaction(tx =>
    postTransfers(
      tx,
      [
        {
          ...transfer('merchant', 'adjustment', half),
          ...{ tenantId, mode: 'live', paymentId: payments[0] as string, unexpectedMoneyId: null },
          ...{ referenceId: randomUUID(), reason: 'leaves half of the balance' },
        },
      ],
      app.clock(),
    ),
  )

  const results = new Map<string, number>()
  await concurrently([...payments.entries()], async ([index, paymentId]) => {
    const { status, error, text } = await refund(origins[index % 2] as string, paymentId)
    const result = status === 200 ? 'accepted' : (error?.code ?? text)
    results.set(result, (results.get(result) ?? 0) + 1)
  })
  expect(Object.fromEntries(results)).toEqual({
    accepted: PAYMENTS / 2,
    INSUFFICIENT_BALANCE: PAYMENTS / 2,
  })

  const { data } = await http('GET', `${demo.base_url}/v1/account/balance?mode=live`, { auth })
  expect(data.balance).toBe(0)
  const { rows } = await app.db.raw(
    `select count(*)::integer as refunds, count(distinct refund_id)::integer as debited
     from ledger_entries where tenant_id = ? and refund_id is not null and entry_type = 'debit'`,
    [tenantId],
  )
  expect(rows).toEqual([{ refunds: PAYMENTS / 2, debited: PAYMENTS / 2 }])
  const differences = await ledgerDifferences(app)
  // This test halved the balance with a debit that belongs to no refund. The verification must report this
  // debit and no other entry.
  expect(differences.filter(({ kind }) => kind !== 'statement_is_missing')).toEqual([
    expect.objectContaining({ kind: 'entry_without_money', payment_id: payments[0] }),
  ])
})
