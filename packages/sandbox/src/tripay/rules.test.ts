import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { broken, changed } from '../../test/support/broken-rules.ts'
import { call, type Json, newOrderId } from '../../test/support/merchant.ts'
import type { Rule } from '../rules.ts'
import { type RunningSandbox, startSandbox } from '../server.ts'
import { tripayRules } from './rules.ts'

const merchant = { api_key: 'DEV-rules', private_key: 'private', merchant_code: 'T0003' }
const headers = { authorization: `Bearer ${merchant.api_key}` }

let sandbox: RunningSandbox
beforeAll(async () => {
  sandbox = await startSandbox({ port: 0 })
  const registered = { provider: 'tripay', credentials: merchant }
  await call(`${sandbox.url}/merchants`, registered, { serverKey: null })
})
afterAll(() => sandbox.close())

function request(): Json {
  const merchant_ref = newOrderId()
  const signed = `${merchant.merchant_code}${merchant_ref}44000`
  return {
    method: 'BRIVA',
    merchant_ref,
    amount: 44_000,
    customer_name: 'Budi',
    customer_email: 'budi@example.com',
    customer_phone: '081234567890',
    order_items: [
      { sku: 'S', name: 'Shoes', price: 22_000, quantity: 2, product_url: 'https://shop.example' },
    ],
    callback_url: 'https://shop.example/callback',
    return_url: 'https://shop.example/done',
    expired_time: Math.floor(Date.now() / 1000) + 86_400,
    signature: createHmac('sha256', merchant.private_key).update(signed).digest('hex'),
  }
}

const create = (body: Json) =>
  call(`${sandbox.url}/tripay/transaction/create`, body, { serverKey: null, headers })

describe('Tripay create requests must satisfy the rules in the Tripay client libraries', () => {
  test('a valid Tripay create request passes all validation rules', async () => {
    expect((await create(request())).body.success).toBe(true)
  })

  const cases = tripayRules.create.flatMap((rule: Rule) =>
    broken(rule).map(({ value, reason }) => ({ field: rule.field, value, reason })),
  )
  test.each(cases)(
    'if a field of a create request is invalid, the Tripay error names this field: $field as $value is $reason',
    async ({ field, value }) => {
      const { body } = await create(changed(request(), field, value))
      expect(body.success).toBe(false)
      expect(body.message).toBe(`The ${field.replaceAll('[]', '.0')} field is required or invalid.`)
    },
  )
})
