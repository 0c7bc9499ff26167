// Tests the maximum balance of 2^53 - 1 cents, the limit up to which JSON numbers are exact. Money above the
// maximum is not credited and awaits the Owner's decision.

import { expect, test } from 'vitest'
import { recordEvents } from '../../src/payments/record/record-event.ts'
import { insertPendingPayment, now } from '../../test/support/make.ts'
import { inboxBench } from '../support/inbox.ts'
import { http, logIn } from '../support/merchant.ts'

const { app, demo, shop, created, simulated, recordOf, recordsOf, decide, entriesOf, statusOf } =
  await inboxBench()
const LARGEST = 2n ** 53n - 1n
const tenantId = demo.client.tenant_id

/** Credits the tenant in test mode until its balance is `cents` cents below the maximum. */
async function leaveRoom(cents: bigint): Promise<void> {
  const payment = await insertPendingPayment(app.db, {
    tenantId,
    mode: 'test',
    paymentCode: 'GP261120-00000000F1',
    amount: 100n,
  })
  const amountPaid = LARGEST - BigInt(await shop.balance()) - cents
  const reference = payment.paymentCode
  const event = { type: 'paid', amountPaid, paidAt: now, reference } as const
  await app.db.transaction(tx =>
    recordEvents(tx, [{ tenantId, paymentId: payment.id, event, cause: 'callback' }], app.clock()),
  )
}

test("money that would raise a balance above the maximum awaits the Owner's decision", async () => {
  await leaveRoom(10_000_000n)
  const [first, second] = [await created(), await created()]
  await simulated(first, 'paid')
  expect(await statusOf(first)).toBe('paid')
  expect(BigInt(await shop.balance())).toBe(LARGEST)

  await simulated(second, 'paid', { copies: 3 })
  expect(await statusOf(second)).toBe('challenged')
  expect(await entriesOf(second)).toEqual([])
  expect(await recordsOf(second)).toMatchObject([
    { kind: 'underpaid', status: 'open', amount: 10_000_000, in_ledger: false },
  ])
  const { text } = await http('GET', `${app.publicUrl}/metrics`)
  expect(text).toMatch(/gapura_ledger_credits_withheld_total\{mode="test"\} 1\n/)

  const auth = await logIn(demo, demo.client)
  for (const path of [
    '/v1/account/balance?mode=test',
    '/v1/account/ledger?mode=test',
    '/v1/reports/payments?mode=test&group_by=tenant',
    `/v1/payments/${second.id}/ledger`,
  ])
    expect([path, (await http('GET', demo.base_url + path, { auth })).status]).toEqual([path, 200])
  expect(BigInt(await shop.balance())).toBe(LARGEST)

  const refused = await decide((await recordOf(second)).id, 'accept')
  expect(refused).toMatchObject({ status: 409, error: { code: 'CONFLICT' } })
  expect(refused.error.message).toContain(`the balance would exceed its maximum of ${LARGEST} cents`)
  expect(await recordOf(second)).toMatchObject({ status: 'open' })

  // Reversing the first payment lowers the balance, so that accepting the second payment does not exceed the
  // maximum balance.
  await simulated(first, 'failed')
  expect(await shop.balance()).toBe(Number(LARGEST) - 10_000_000)
  await decide((await recordOf(second)).id, 'accept')
  expect(await statusOf(second)).toBe('paid')
  expect(await entriesOf(second)).toEqual([['credit', 10_000_000]])
  expect(BigInt(await shop.balance())).toBe(LARGEST)
})
