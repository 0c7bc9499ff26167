// Compares a monthly fee statement from the service with one that a Python program computes from the same payments.
// The program shares no code with the service.

import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, inject, test } from 'vitest'
import { http, logIn, merchantOf, simulate, until } from '../../packages/server/test/support/merchant.ts'
import { ownClient } from '../own-client.ts'

const demo = inject('demo')

const methods = [
  { method_type: 'virtual_account', method_detail: { type: 'virtual_account', bank: 'BCA' } },
  { method_type: 'virtual_account', method_detail: { type: 'virtual_account', bank: 'BNI' } },
  { method_type: 'qris', method_detail: { type: 'qris' } },
  { method_type: 'e_wallet', method_detail: { type: 'e_wallet', wallet_type: 'GOPAY' } },
  { method_type: 'over_the_counter', method_detail: { type: 'over_the_counter', store: 'ALFAMART' } },
]
/**
 * Payment amounts in cents: common amounts, and amounts for which a fee reaches its minimum or maximum, is rounded, or
 * would exceed the credited amount.
 */
const amounts = [15_000_000, 1_234_500, 100_000, 99_999_900, 1_000_000_000]

/**
 * The two versions of the fee schedule that the test sets, one after the other. In the second version,
 * convenience store payments have no fee.
 */
const schedules = [
  [
    { percent_bps: 33, tax_bps: 1_100, min: 50_000 },
    { method_type: 'virtual_account', fixed: 400_000, tax_bps: 1_100 },
    {
      method_type: 'virtual_account',
      channel: 'bca',
      percent_bps: 70,
      fixed: 400_001,
      max: 1_500_000,
      tax_bps: 1_175,
    },
  ],
  [
    { method_type: 'qris', percent_bps: 71, tax_bps: 1_100 },
    { method_type: 'virtual_account', percent_bps: 1, fixed: 7, tax_bps: 1_199 },
    { method_type: 'e_wallet', percent_bps: 200, max: 333_333, tax_bps: 0 },
  ],
]

test('a monthly fee statement equals the statement that an independent program computes from the same payments', async () => {
  const client = await ownClient(demo)
  const shop = merchantOf({ ...demo, client: { ...demo.client, ...client } }, client.test_key)
  const auth = await logIn(demo, demo.owner)
  const versions: unknown[] = []
  let created = 0
  for (const rules of schedules) {
    const path = `${demo.base_url}/v1/tenants/${client.tenant_id}/fee-schedule`
    const schedule = await http('PUT', path, { auth, body: { rules } })
    expect(schedule.status, schedule.text).toBe(200)
    versions.push(schedule.data)
    for (const method of methods)
      for (const amount of amounts) {
        const { data } = await shop.create({ ...method, amount })
        // If the channel does not accept the amount, the service creates no payment.
        if (!data) continue
        await simulate(demo, data, 'paid')
        created += 1
      }
  }
  await until('all payments are paid', async () => {
    const { data } = await shop.call('GET', `/v1/payments?limit=100&status=paid`)
    return data.items.length === created
  })
  const month = new Intl.DateTimeFormat('sv', { timeZone: 'Asia/Jakarta' }).format().slice(0, 7)
  const bearer = await logIn(demo, client)
  const path = `/v1/account/fee-statement?month=${month}&mode=test`
  const { data: statement } = await http('GET', demo.base_url + path, { auth: bearer })
  const recomputed = await recompute(month, versions, client.test_key)
  expect(recomputed.items.length).toBeGreaterThan(3)
  const { items, count, net, tax, total } = statement
  expect({ items, count, net, tax, total }).toEqual(recomputed)
})

async function recompute(month: string, versions: unknown[], key: string) {
  const program = execFile('python3', [join(import.meta.dirname, 'recompute_statement.py'), month], {
    env: { ...process.env, GAPURA_URL: demo.base_url, GAPURA_API_KEY: key },
  })
  program.stdin?.end(JSON.stringify(versions))
  program.stderr?.pipe(process.stderr)
  return JSON.parse(await text(program.stdout as NodeJS.ReadableStream))
}
