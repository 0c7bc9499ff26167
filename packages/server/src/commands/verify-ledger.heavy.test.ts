import { expect, test } from 'vitest'
import { envOf, runProcess } from '../../test/support/command.ts'
import { testDatabase } from '../../test/support/database.ts'
import { tamper } from '../../test/support/ledger.ts'
import { makePayment, makeTenant } from '../../test/support/make.ts'

test('verify-ledger needs no more memory for 100,000 payments than for a few', async () => {
  const database = await testDatabase()
  const tenantId = await makeTenant(database.db)
  const count = 100_000
  const { fingerprint } = makePayment({
    amount: 100n,
    methodType: 'qris',
    methodDetail: { type: 'qris' },
    customerName: '',
    customerEmail: '',
    customerPhone: '',
  })
  await tamper(
    database.url,
    [
      `insert into payments (tenant_id, id, mode, payment_code, idempotency_key, fingerprint, amount, currency, method_type,
         channel, method_detail, status, provider, provider_account_id, expiry_minutes, expires_at, paid_at, amount_paid, created_at, updated_at)
       select $1::uuid, ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, 'live',
         'GP261120-' || lpad(n::text, 10, '0'), n::text, $3, 100, 'IDR', 'qris', 'qris', '{"type": "qris"}', 'paid',
         'midtrans', $1, 60, now(), now(), 100, now(), now() from generate_series(1, $2::int) n`,
      [tenantId, count, fingerprint],
    ],
    [
      `insert into ledger_entries select $1::uuid, gen_random_uuid(), 'live', n,
         ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, 'credit', 100, n * 100, 'r', 'r', now(), null, $1
       from generate_series(1, $2::int) n`,
      [tenantId, count],
    ],
    [
      `insert into book_accounts (tenant_id, mode, account_id, balance) values ($1, 'live', $1, $2::int * -100)`,
      [tenantId, count],
    ],
    [
      `update balances set balance = $2::int * 100, version = $2 where tenant_id = $1 and mode = 'live'`,
      [tenantId, count],
    ],
  )
  // The command needs about 35 MB of memory for any number of payments. If it read all rows at once, it would exceed
  // this limit of 80 MB and fail.
  const env = envOf(database, { NODE_OPTIONS: '--max-old-space-size=80' })
  const { code, stdout, stderr } = await runProcess(['verify-ledger'], env)
  expect([code, stdout.slice(-200)], stderr.slice(-2_000)).toEqual([
    0,
    `2 balances, ${count} entries and ${count} payments: they agree.\n`,
  ])
  expect(stderr).toContain(`${count / 2} entries and 0 payments checked\n`)
})
