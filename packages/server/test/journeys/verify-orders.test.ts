// Tests that ledger verification compares each payment with the merchant's order. For this purpose, a
// fingerprint of the order is stored when the payment is created.

import { expect, test } from 'vitest'
import type { LedgerDifference } from '../../src/ledger/ledger-difference.ts'
import { readBacklog } from '../../src/metrics/backlog.sql.ts'
import { verifyLedger } from '../../src/verification/verify-ledger.ts'
import { verifyWholeLedger } from '../../src/verification/verify-whole-ledger.ts'
import { testApp } from '../support/app.ts'
import { tamper } from '../support/ledger.ts'
import { http, logIn, merchantOf, simulate, until } from '../support/merchant.ts'

const { app, demo, databaseUrl } = await testApp()
const shop = merchantOf(demo)

async function verification() {
  const found: LedgerDifference[] = []
  const { ordersNotChecked } = await verifyLedger(app, [], {
    onDifference: each => void found.push(each),
    onPage: () => {},
  })
  return { found: found.filter(({ kind }) => kind !== 'statement_is_missing'), ordersNotChecked }
}

async function create(extra: object = {}): Promise<{ id: string; payment_code: string }> {
  const { status, text, data } = await shop.create(extra)
  expect(status, text).toBe(200)
  return data
}

const full = {
  customer_name: ' Ani "Nia" \\ 🌺\u2028 ',
  customer_email: 'ani@example.com',
  customer_phone: '+62 812-3456-7890',
  items: [
    { id: 'b', name: 'Kopi\t☕', price: 0, quantity: 1_000_000_000 },
    { id: 'a', name: '', price: 100_000_000_000_000, quantity: 1 },
  ],
  expiry_minutes: 61,
  return_url: 'https://shop.example.com/caf%C3%A9?x=1',
  customer_ip: '2001:DB8:0:0::1',
}

test('verification finds no differences if each pending payment matches the order that the merchant sent', async () => {
  await create()
  await create(full)
  await create({ expiry_minutes: 60 })
  await create({ method_type: 'qris', method_detail: { type: 'qris' } })
  await create({ method_type: 'e_wallet', method_detail: { type: 'e_wallet', wallet_type: ' Dana ' } })
  await create({
    method_type: 'over_the_counter',
    method_detail: { type: 'over_the_counter', store: 'alfamart' },
  })
  expect(await verification()).toEqual({ found: [], ordersNotChecked: 0 })
})

test('ledger verification reports each pending payment whose fields do not match the stored hash of its order', async () => {
  const changes = [
    'amount = amount - 100',
    `method_detail = '{"type": "virtual_account", "bank": "BNI"}'`,
    `method_type = 'qris'`,
    `customer_name = 'Nobody'`,
    `customer_email = ''`,
    `customer_phone = '0'`,
    `items = '[]'`,
    `items = '{}'`,
    `items = '[null]'`,
    `return_url = null`,
    `customer_ip = '192.0.2.1'`,
    'expiry_minutes = 62',
    'fingerprint = sha256(fingerprint)',
  ]
  const changed: string[] = []
  for (const change of changes) {
    const { id } = await create(full)
    await tamper(databaseUrl, [`update payments set ${change} where id = $1`, [id]])
    changed.push(id)
  }
  const { id: ofLater } = await create(full)
  await tamper(databaseUrl, ['update payments set fingerprint_version = 32767 where id = $1', [ofLater]])
  const { found, ordersNotChecked } = await verification()
  const hash = expect.stringMatching(/^[0-9a-f]{64}$/)
  expect(found).toHaveLength(changes.length)
  for (const id of changed)
    expect(found).toContainEqual(
      expect.objectContaining({
        kind: 'order_differs',
        mode: 'test',
        payment_id: id,
        expected: hash,
      }),
    )
  expect(found.filter(each => each.kind === 'order_differs' && each.found === null)).toHaveLength(2)
  expect(ordersNotChecked).toBe(1)
  await tamper(databaseUrl, ['delete from payments where id = any($1)', [[...changed, ofLater]]])
})

test('a paid payment that was tampered with is reported in the API, a metric, and /readyz', async () => {
  const payment = await create()
  await simulate(demo, payment, 'paid')
  await until('the payment is paid', async () => (await shop.get(payment.id)).data.status === 'paid')
  const changed = `from ledger_entries changed where changed.payment_id = $1 and`
  const { id } = payment
  await tamper(
    databaseUrl,
    ['update payments set amount = amount - 100, amount_paid = amount_paid - 100 where id = $1', [id]],
    ['update ledger_entries set amount = amount - 100 where payment_id = $1', [id]],
    [
      `update ledger_entries e set balance_after = e.balance_after - 100 ${changed} e.tenant_id = changed.tenant_id
         and e.mode = changed.mode and e.version >= changed.version`,
      [id],
    ],
    [
      `update balances b set balance = balance - 100 ${changed} b.tenant_id = changed.tenant_id and b.mode = changed.mode`,
      [id],
    ],
    ['delete from ledger_seals', []],
    ['delete from ledger_statements', []],
    ['delete from provider_callbacks', []],
    ['update ledger_verifications set day = day - 1', []],
  )
  const owner = await logIn(demo, demo.owner)
  const shown = await until('the verification finds the change', async () => {
    await verifyWholeLedger(app, new AbortController().signal)
    const { data } = await http('GET', `${demo.base_url}/v1/ledger-verification`, { auth: owner })
    return data.differences.length > 1 && data
  })
  const byKind = (a: { kind: string }, b: { kind: string }) => (a.kind < b.kind ? -1 : 1)
  expect({ ...shown, differences: shown.differences.toSorted(byKind) }).toMatchObject({
    last: { orders_not_checked: 0 },
    // The verification also reports the provider's ledger account. The test changes ledger entries, but not
    // the balance of this account, so the balance no longer matches the entries.
    differences: [
      { kind: 'account_differs' },
      {
        kind: 'order_differs',
        facts: { payment_id: id, payment_code: payment.payment_code, amount: '9999900' },
      },
    ],
  })
  expect(await readBacklog(app.db)).toMatchObject({ ledgerDifferences: 2 })
  expect((await http('GET', `${demo.base_url}/readyz`)).text).toContain(
    'the verification of the ledger found differences that are still open: 2',
  )
})
