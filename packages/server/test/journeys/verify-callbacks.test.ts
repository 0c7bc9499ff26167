// Tests that ledger verification compares the provider's stored callbacks with the payments.

import { expect, test } from 'vitest'
import type { LedgerDifference } from '../../src/ledger/ledger-difference.ts'
import { testApp } from '../support/app.ts'
import { ledgerDifferences, tamper } from '../support/ledger.ts'
import { merchantOf, simulate, until } from '../support/merchant.ts'

const { app, demo, databaseUrl } = await testApp()
const shop = merchantOf(demo)

async function differences(): Promise<LedgerDifference[]> {
  return (await ledgerDifferences(app)).filter(({ kind }) => kind !== 'statement_is_missing')
}

/**
 * Creates a payment by the given method, and waits until a callback from the method's provider has made it
 * paid.
 */
async function paidPayment(method: { method_type: string; method_detail: object }) {
  const { data: payment } = await shop.create(method)
  await simulate(demo, payment, 'paid')
  return until(`${payment.provider} reported ${payment.id}`, async () => {
    const { data } = await shop.get(payment.id)
    return data.status === 'paid' && data
  })
}

const bca = { method_type: 'virtual_account', method_detail: { type: 'virtual_account', bank: 'BCA' } }

test('the verification of paid payments reports no difference for payments that match their stored callbacks', async () => {
  await paidPayment(bca)
  await paidPayment({ method_type: 'qris', method_detail: { type: 'qris' } })
  expect(await differences()).toEqual([])
})

test('verification of paid payments finds a payment whose amount was changed together with its ledger entries', async () => {
  const { id, payment_code } = await paidPayment(bca)
  await tamper(
    databaseUrl,
    ['update payments set amount_paid = amount_paid + 100 where id = $1', [id]],
    ['update ledger_entries set amount = amount + 100 where payment_id = $1', [id]],
    [
      `update ledger_entries e set balance_after = e.balance_after + 100
       from ledger_entries changed
       where changed.payment_id = $1 and e.tenant_id = changed.tenant_id and e.mode = changed.mode
         and e.version >= changed.version`,
      [id],
    ],
    [
      `update balances b set balance = balance + 100 from ledger_entries changed
       where changed.payment_id = $1 and b.tenant_id = changed.tenant_id and b.mode = changed.mode`,
      [id],
    ],
    ['delete from ledger_seals', []],
    ['delete from ledger_statements', []],
  )
  // The test changed the ledger entries but not the balance of the provider account, so the verification also
  // reports this account.
  expect(await differences()).toEqual([
    expect.objectContaining({ kind: 'account_differs' }),
    expect.objectContaining({
      kind: 'callback_differs',
      payment_id: id,
      payment_code,
      expected: '10000000',
      found: '10000100',
    }),
  ])
})
