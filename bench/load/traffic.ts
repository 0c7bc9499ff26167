// Generates the HTTP requests that the benchmarks' load generator sends.

import { createHash, randomBytes } from 'node:crypto'
import { anOrder } from '../../packages/server/test/support/order.ts'

/** A Midtrans account, whose server key signs the callbacks. */
export type Account = { id: string; serverKey: string }

export type Traffic =
  /**
   * Creates payments. Every idempotency key begins with `run`, so a second load with the same `run` repeats the same
   * keys.
   */
  | { kind: 'create'; keys: string[]; run?: string }
  | { kind: 'get'; payments: { key: string; id: string }[] }
  /** Sends charges directly to the payment provider, to measure how fast the provider is without the service. */
  | { kind: 'charges'; serverKey: string }
  | { kind: 'callbacks'; account: Account; references: string[]; amountRupiah: number }

export type Request = {
  method: 'GET' | 'POST'
  path: string
  /** The request's headers as a flat list of alternating names and values. */
  headers: string[]
  body: string | null
}

export function requestsOf(traffic: Traffic): () => Request {
  switch (traffic.kind) {
    case 'create':
      return createsOf(traffic.keys, traffic.run)
    case 'get':
      return gets(traffic.payments)
    case 'charges':
      return charges(traffic.serverKey)
    case 'callbacks':
      return callbacks(traffic)
  }
}

const order = JSON.stringify(
  anOrder({
    customer_email: 'budi@example.com',
    items: [{ id: 'sku-1', name: 'Book', price: 10_000_000, quantity: 1 }],
  }),
)

export function createsOf(keys: string[], run = randomBytes(6).toString('hex')): () => Request {
  let n = 0
  return () => {
    n += 1
    return {
      method: 'POST',
      path: '/v1/payments/create',
      headers: [
        'authorization',
        `ApiKey ${keys[n % keys.length]}`,
        'x-idempotency-key',
        `${run}-${n}`,
        'content-type',
        'application/json',
      ],
      body: order,
    }
  }
}

function gets(payments: { key: string; id: string }[]): () => Request {
  return () => {
    const { key, id } = payments[Math.floor(Math.random() * payments.length)] as (typeof payments)[number]
    return {
      method: 'GET',
      path: `/v1/payments/${id}`,
      headers: ['authorization', `ApiKey ${key}`],
      body: null,
    }
  }
}

function charges(serverKey: string): () => Request {
  const run = randomBytes(6).toString('hex')
  const authorization = `Basic ${Buffer.from(`${serverKey}:`).toString('base64')}`
  let n = 0
  return () => {
    n += 1
    return {
      method: 'POST',
      path: '/midtrans/v2/charge',
      headers: ['authorization', authorization, 'content-type', 'application/json'],
      body: JSON.stringify({
        payment_type: 'bank_transfer',
        transaction_details: { order_id: `${run}-${n}`, gross_amount: 100_000 },
        bank_transfer: { bank: 'bca' },
      }),
    }
  }
}

function callbacks({
  account,
  references,
  amountRupiah,
}: Extract<Traffic, { kind: 'callbacks' }>): () => Request {
  const callbackOf = paidCallbackOf(account)
  let n = 0
  return () => {
    const reference = references[n % references.length] as string
    n += 1
    return callbackOf(reference, amountRupiah)
  }
}

/** Generates Midtrans notifications for paid virtual accounts, each with its own transaction ID. */
export function paidCallbackOf(account: Account): (reference: string, amountRupiah: number) => Request {
  const run = randomBytes(4).toString('hex')
  const path = `/v1/callbacks/midtrans/${account.id}`
  const headers = [
    'content-type',
    'application/json',
    'accept',
    'application/json',
    'user-agent',
    'Veritrans',
  ]
  const wib = new Date(Date.now() + 7 * 3_600_000).toISOString().slice(0, 19).replace('T', ' ')
  let n = 0
  return (reference, amountRupiah) => {
    const grossAmount = `${amountRupiah}.00`
    n += 1
    const body = JSON.stringify({
      va_numbers: [{ va_number: '812785002530231', bank: 'bca' }],
      transaction_time: wib,
      transaction_status: 'settlement',
      transaction_id: `${run}-9aed-5972-aad9-${String(n).padStart(12, '0')}`,
      status_message: 'midtrans payment notification',
      status_code: '200',
      signature_key: createHash('sha512')
        .update(`${reference}200${grossAmount}${account.serverKey}`)
        .digest('hex'),
      settlement_time: wib,
      payment_type: 'bank_transfer',
      order_id: reference,
      merchant_id: 'G812785002',
      gross_amount: grossAmount,
      fraud_status: 'accept',
      currency: 'IDR',
    })
    return { method: 'POST', path, headers, body }
  }
}
