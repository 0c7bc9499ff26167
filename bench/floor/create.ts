// The minimal reference program with which the benchmarks compare Gapura's creation of payments. It inserts the payment
// and its reference, calls the provider, and stores the provider's response, in two commits.

import { createHash, randomBytes, randomUUIDv7 } from 'node:crypto'
import { Pool } from 'undici'
import { answerJson, byKey, type Keys, newPool, readBody, serve, tenantOf, view, viewed } from './serve.ts'

const insert = {
  name: 'insert',
  text: `with inserted as (
      insert into payments (
        tenant_id, id, mode, payment_code, idempotency_key, fingerprint, amount, currency, method_type, channel,
        method_detail, status, provider, provider_account_id, customer_name, customer_email, customer_phone, items,
        expiry_minutes, expires_at, next_check_at, created_at, updated_at)
      values ($1, $2, 'live', $3, $4, $5, $6, $7, $8, $9, $10, 'charging', 'midtrans', $11, $12, $13, '', $14, 60,
        now() + interval '60 minutes', now() + interval '30 seconds', now(), now())
      on conflict (tenant_id, mode, idempotency_key) do nothing
      returning tenant_id, id, payment_code, provider_account_id, created_at
    )
    insert into payment_references (reference, tenant_id, payment_id, provider_account_id, provider, started_at)
    select payment_code, tenant_id, id, provider_account_id, 'midtrans', created_at from inserted`,
}
const accept = {
  name: 'accept',
  text: `with moved as (
      insert into payment_transitions (tenant_id, payment_id, number, at, from_status, to_status, cause)
      values ($1, $2, 1, now(), 'charging', 'pending', 'create')
    )
    update payments set status = 'pending', transition_count = 1, method_data = $3, provider_payment_id = $4,
      next_check_at = expires_at, updated_at = now()
    where tenant_id = $1 and id = $2 returning ${viewed}`,
}
const find = {
  name: 'find',
  text: `select ${viewed} from payments where tenant_id = $1 and mode = 'live' and idempotency_key = $2`,
}

type Config = {
  databaseUrl: string
  tenants: Keys
  account: { id: string; serverKey: string }
  sandboxUrl: string
}

serve<Config>(({ databaseUrl, tenants, account, sandboxUrl }) => {
  const pool = newPool(databaseUrl)
  const provider = new Pool(sandboxUrl, { connections: 1024 })
  const known = byKey(tenants)
  const authorization = `Basic ${Buffer.from(`${account.serverKey}:`).toString('base64')}`
  return async (request, response) => {
    const tenantId = tenantOf(request, known)
    const key = request.headers['x-idempotency-key']
    const body = await readBody(request)
    const order = JSON.parse(body.toString())
    const isOrder =
      Number.isInteger(order.amount) &&
      order.currency === 'IDR' &&
      typeof order.method_detail?.bank === 'string'
    if (!tenantId || !key || !isOrder) return void response.writeHead(400).end()
    const id = randomUUIDv7()
    const code = newCode()
    const { rowCount } = await pool.query({
      ...insert,
      values: [
        tenantId,
        id,
        code,
        key,
        createHash('sha256').update(body).digest(),
        order.amount,
        order.currency,
        order.method_type,
        order.method_detail.bank.toLowerCase(),
        JSON.stringify(order.method_detail),
        account.id,
        order.customer_name,
        order.customer_email,
        JSON.stringify(order.items),
      ],
    })
    if (rowCount === 0) {
      const { rows } = await pool.query({ ...find, values: [tenantId, key] })
      return answerJson(response, view(rows[0]))
    }
    const answer = await provider.request({
      method: 'POST',
      path: '/midtrans/v2/charge',
      headers: { authorization, 'content-type': 'application/json', 'idempotency-key': code },
      body: JSON.stringify({
        payment_type: 'bank_transfer',
        transaction_details: { order_id: code, gross_amount: order.amount / 100 },
        bank_transfer: { bank: order.method_detail.bank.toLowerCase() },
      }),
    })
    const charged = (await answer.body.json()) as {
      status_code: string
      transaction_id: string
      va_numbers: { va_number: string }[]
    }
    if (charged.status_code !== '201') throw new Error(`the provider returned ${JSON.stringify(charged)}`)
    const methodData = { ...order.method_detail, va_number: charged.va_numbers[0]?.va_number }
    const { rows } = await pool.query({
      ...accept,
      values: [tenantId, id, JSON.stringify(methodData), charged.transaction_id],
    })
    answerJson(response, view(rows[0]))
  }
})

const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

function newCode(): string {
  const day = new Date().toISOString().slice(2, 10).replaceAll('-', '')
  let random = ''
  for (const byte of randomBytes(10)) random += alphabet[byte & 31]
  return `GP${day}-${random}`
}
