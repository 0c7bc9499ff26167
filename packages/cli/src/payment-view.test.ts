import type { Payment } from '@gapura/sdk'
import { expect, test } from 'vitest'
import { newHome } from '../test/gapura.ts'
import { aPayment, ok, service } from '../test/service.ts'
import { listTable } from './output.ts'
import { paymentColumns } from './payment-view.ts'

async function shown(method_data: Payment['method_data']): Promise<string> {
  const { baseUrl } = await service(() => ok({ ...aPayment, method_type: method_data.type, method_data }))
  const env = { GAPURA_BASE_URL: baseUrl, GAPURA_API_KEY: 'gp_test_key' }
  return (await newHome().gapura(['payments', 'get', aPayment.id], { env })).stdout
}

const wallet = {
  type: 'e_wallet',
  wallet_type: 'OVO',
  redirect_url: 'https://pay.example/return/GP261120-7Q4M2ZK8XW',
  deeplink: '',
} as const

test('for an OVO payment, the CLI prints the instruction to confirm it in the OVO app', async () => {
  expect(await shown(wallet)).toContain(
    'Ask the payer to:\n\n  confirm in the OVO app within 2 minutes, preferably right away: the request can expire after 55 seconds\n',
  )
})

test("the CLI prints a payment's instructions, or a note that they are not available", async () => {
  const lost = 'The payment instructions are not available'
  const cases: [Payment['method_data'], string][] = [
    [{ type: 'virtual_account', bank: 'BCA', va_number: '8127' }, '8127'],
    [{ type: 'virtual_account', bank: 'BCA', va_number: '' }, lost],
    [{ type: 'qris', qr_string: '0002', qr_image_url: '' }, '0002'],
    [{ type: 'qris', qr_string: '', qr_image_url: '' }, lost],
    [{ ...wallet, wallet_type: 'GOPAY', redirect_url: 'https://w.example/1' }, 'https://w.example/1'],
    [{ ...wallet, wallet_type: 'GOPAY', redirect_url: '' }, lost],
    [{ ...wallet, redirect_url: 'https://checkout.example/1' }, 'https://checkout.example/1'],
    [{ type: 'over_the_counter', store: 'ALFAMART', store_name: 'Alfamart', payment_code: '77' }, '77'],
    [{ type: 'over_the_counter', store: 'ALFAMART', store_name: 'Alfamart', payment_code: '' }, lost],
  ]
  for (const [data, instruction] of cases) expect(await shown(data)).toContain(instruction)
})

const wide: Payment = {
  ...aPayment,
  status: 'challenged',
  amount: 1_000_000_000,
  customer_name: 'Raden Mas Surya Adiningrat',
  method_type: 'virtual_account',
  method_data: { type: 'virtual_account', bank: 'PERMATA', va_number: '1' },
}

test('a list of payments fits a terminal with 80 columns and omits the UUID', () => {
  const [title = '', line = ''] = listTable(paymentColumns, [wide], 80)
  expect(title.split(/ {2,}/)).toEqual([
    'CODE',
    'METHOD',
    'PROVIDER',
    'STATUS',
    expect.stringMatching(/AMOUNT/),
    'CUSTOMER',
  ])
  for (const value of [wide.payment_code, 'PERMATA', 'midtrans', 'challenged', 'Rp 10.000.000', 'Raden Mas'])
    expect(line).toContain(value)
  expect(line).not.toContain(wide.id)
  expect(line.length).toBeLessThanOrEqual(80)
})

test("on a wide terminal, a list of payments also shows each payment's UUID", () => {
  expect(listTable(paymentColumns, [wide], 200)[1]).toContain(wide.id)
})
