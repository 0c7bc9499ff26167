// A merchant's program on the client that @hey-api/openapi-ts makes.

import { client } from './generated/client.gen.js'
import {
  type CreatePayment,
  createPayment,
  getAccount,
  getPayment,
  listPaymentLedger,
  login,
} from './generated/index.js'

const { BASE_URL, SANDBOX_URL, API_KEY, EMAIL, PASSWORD } = process.env as Record<string, string>

// Where an operation takes either credential, the one that the document names first is asked for first.
let accessToken: string | undefined
client.setConfig({
  baseUrl: BASE_URL as string,
  throwOnError: true,
  auth: ({ type }) => (type === 'apiKey' ? `ApiKey ${API_KEY}` : accessToken),
})
const throwOnError = true

const order = { amount: 10_000_000, currency: 'IDR', customer_name: 'Budi Santoso' } as const
const { data: created } = await createPayment({
  headers: { 'X-Idempotency-Key': crypto.randomUUID() },
  body: { ...order, method_type: 'virtual_account', method_detail: { type: 'virtual_account', bank: 'BCA' } },
  throwOnError,
})
const { id, payment_code, method_data } = created.data
if (method_data.type !== 'virtual_account') throw new Error(`not a virtual account: ${method_data.type}`)
const vaNumber: string = method_data.va_number

await fetch(`${SANDBOX_URL}/simulate`, {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ payment_code, outcome: 'paid' }),
})

const path = { payment_id: id }
let payment = created.data
while (payment.status === 'pending') {
  await new Promise(resolve => setTimeout(resolve, 100))
  payment = (await getPayment({ path, throwOnError })).data.data
}
const { data: ledger } = await listPaymentLedger({ path, throwOnError })

const missing = await getPayment({ path: { payment_id: crypto.randomUUID() }, throwOnError: false })

const session = await login({ body: { email: EMAIL as string, password: PASSWORD as string }, throwOnError })
accessToken = session.data.data.access_token
const { data: account } = await getAccount({ throwOnError })

console.log(
  JSON.stringify({
    va_number: vaNumber,
    same: payment.method_type === 'virtual_account' && payment.method_data.va_number === vaNumber,
    status: payment.status,
    amount_paid: payment.amount_paid,
    entries: ledger.data.map(({ entry_type, amount }) => [entry_type, amount]),
    missing: missing.error?.error.code,
    account: account.data.id,
  }),
)

const detailOfWallet = { type: 'e_wallet', wallet_type: 'GOPAY' } as const
// @ts-expect-error: a virtual account with the detail of a wallet
export const wrong: CreatePayment = {
  ...order,
  method_type: 'virtual_account',
  method_detail: detailOfWallet,
}
