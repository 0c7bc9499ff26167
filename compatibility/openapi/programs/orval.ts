// A merchant's program on the functions that orval makes for fetch. Where the service is was said when they were made.

import {
  type CreatePayment,
  createPayment,
  getAccount,
  getPayment,
  listPaymentLedger,
  login,
} from './generated/api'

const { SANDBOX_URL, API_KEY, EMAIL, PASSWORD } = process.env as Record<string, string>
const headers = { Authorization: `ApiKey ${API_KEY}` }

const order = { amount: 10_000_000, currency: 'IDR', customer_name: 'Budi Santoso' } as const
const created = await createPayment(
  { ...order, method_type: 'virtual_account', method_detail: { type: 'virtual_account', bank: 'BCA' } },
  { 'X-Idempotency-Key': crypto.randomUUID() },
  { headers },
)
if (created.status !== 200) throw new Error(created.data.error.message)
let payment = created.data.data
const { id, payment_code, method_data } = payment
if (method_data.type !== 'virtual_account') throw new Error(`not a virtual account: ${method_data.type}`)
const vaNumber: string = method_data.va_number

await fetch(`${SANDBOX_URL}/simulate`, {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ payment_code, outcome: 'paid' }),
})

while (payment.status === 'pending') {
  await new Promise(resolve => setTimeout(resolve, 100))
  const got = await getPayment(id, { headers })
  if (got.status !== 200) throw new Error(got.data.error.message)
  payment = got.data.data
}

const ledger = await listPaymentLedger(id, { headers })
if (ledger.status !== 200) throw new Error(ledger.data.error.message)

const missing = await getPayment(crypto.randomUUID(), { headers })

const session = await login({ email: EMAIL as string, password: PASSWORD as string })
if (session.status !== 200) throw new Error(session.data.error.message)
const account = await getAccount({
  headers: { Authorization: `Bearer ${session.data.data.access_token}` },
})
if (account.status !== 200) throw new Error(account.data.error.message)

console.log(
  JSON.stringify({
    va_number: vaNumber,
    same: payment.method_type === 'virtual_account' && payment.method_data.va_number === vaNumber,
    status: payment.status,
    amount_paid: payment.amount_paid,
    entries: ledger.data.data.map(({ entry_type, amount }) => [entry_type, amount]),
    missing: missing.status === 200 ? undefined : missing.data.error.code,
    account: account.data.data.id,
  }),
)

const detailOfWallet = { type: 'e_wallet', wallet_type: 'GOPAY' } as const
// @ts-expect-error: a virtual account with the detail of a wallet
export const wrong: CreatePayment = {
  ...order,
  method_type: 'virtual_account',
  method_detail: detailOfWallet,
}
