// A merchant's program on openapi-fetch, with the types that openapi-typescript makes.

import createClient from 'openapi-fetch'
import type { components, paths, webhooks } from './generated/api.js'

const { BASE_URL, SANDBOX_URL, API_KEY, EMAIL, PASSWORD } = process.env as Record<string, string>

const client = createClient<paths>({
  baseUrl: BASE_URL as string,
  headers: { Authorization: `ApiKey ${API_KEY}` },
})

const order = { amount: 10_000_000, currency: 'IDR', customer_name: 'Budi Santoso' } as const
const created = await client.POST('/v1/payments/create', {
  params: { header: { 'X-Idempotency-Key': crypto.randomUUID() } },
  body: { ...order, method_type: 'virtual_account', method_detail: { type: 'virtual_account', bank: 'BCA' } },
})
if (created.error) throw new Error(created.error.error.message)
const { id, payment_code, method_data } = created.data.data
if (method_data.type !== 'virtual_account') throw new Error(`not a virtual account: ${method_data.type}`)
const vaNumber: string = method_data.va_number

await fetch(`${SANDBOX_URL}/simulate`, {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ payment_code, outcome: 'paid' }),
})

const path = { payment_id: id }
let payment = created.data.data
while (payment.status === 'pending') {
  await new Promise(resolve => setTimeout(resolve, 100))
  const { data, error } = await client.GET('/v1/payments/{payment_id}', { params: { path } })
  if (error) throw new Error(error.error.message)
  payment = data.data
}

const ledger = await client.GET('/v1/payments/{payment_id}/ledger', { params: { path } })
if (ledger.error) throw new Error(ledger.error.error.message)

const missing = await client.GET('/v1/payments/{payment_id}', {
  params: { path: { payment_id: crypto.randomUUID() } },
})
const code = missing.error?.error.code

const session = await client.POST('/v1/auth/login', {
  body: { email: EMAIL as string, password: PASSWORD as string },
})
if (session.error) throw new Error(session.error.error.message)
const account = await client.GET('/v1/account', {
  headers: { Authorization: `Bearer ${session.data.data.access_token}` },
})
if (account.error) throw new Error(account.error.error.message)

console.log(
  JSON.stringify({
    va_number: vaNumber,
    same: payment.method_type === 'virtual_account' && payment.method_data.va_number === vaNumber,
    status: payment.status,
    amount_paid: payment.amount_paid,
    entries: ledger.data.data.map(({ entry_type, amount }) => [entry_type, amount]),
    missing: code,
    account: account.data.data.id,
  }),
)

type Paid = webhooks['payment.paid']['post']['requestBody']['content']['application/json']
/** Of an event of this type it is never null. */
export const paidBy = ({ data }: Paid): number => data.amount_paid

const detailOfWallet = { type: 'e_wallet', wallet_type: 'GOPAY' } as const
type CreatePayment = components['schemas']['CreatePayment']
// @ts-expect-error: a virtual account with the detail of a wallet
export const wrong: CreatePayment = {
  ...order,
  method_type: 'virtual_account',
  method_detail: detailOfWallet,
}
