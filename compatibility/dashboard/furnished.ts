// Creates data for every dashboard page: payments in every state, a refund, unexpected money and a failed webhook.

import { randomUUID } from 'node:crypto'
import type { Demo } from '../../packages/server/src/demo/demo.ts'
import {
  http,
  logIn,
  merchantOf,
  receiver,
  simulate,
  until,
} from '../../packages/server/test/support/merchant.ts'

const methods = [
  { method_type: 'virtual_account', method_detail: { type: 'virtual_account', bank: 'BCA' } },
  { method_type: 'qris', method_detail: { type: 'qris' } },
  { method_type: 'e_wallet', method_detail: { type: 'e_wallet', wallet_type: 'GOPAY' } },
  { method_type: 'over_the_counter', method_detail: { type: 'over_the_counter', store: 'ALFAMART' } },
]
const customers = ['Budi Santoso', 'Siti Rahma', 'Agus Wijaya', 'Dewi Lestari', 'Rina Putri']

export type Furnished = {
  paid: { id: string }
  refunded: { id: string }
  pending: { id: string }[]
  event: string
  /** The ID of an additional webhook endpoint to which the event was sent. */
  endpoint: string
}

export async function furnish(demo: Demo): Promise<Furnished> {
  const shop = merchantOf(demo)
  const hook = await receiver(demo, (_, count) => (count % 5 === 0 ? 500 : 200))
  const auth = await logIn(demo, demo.client)
  const { data: endpoint } = await http('POST', `${demo.base_url}/v1/webhook-endpoints`, {
    auth,
    body: { mode: 'test', url: `${hook.url}?for=accounting`, description: 'Accounting', schedule: 'long' },
  })
  const create = async (index: number) => {
    const { data } = await shop.create({
      ...methods[index % methods.length],
      amount: (25_000 + index * 13_750) * 100,
      customer_name: customers[index % customers.length],
    })
    return data
  }
  const pending = []
  for (const index of methods.keys()) pending.push(await create(index))
  for (const [index, outcome] of ['failed', 'expired', 'challenged'].entries())
    await simulate(demo, await create(index), outcome)
  await simulate(demo, await create(0), 'paid', { amount: 5_000_000 })
  const paid = []
  for (let index = 0; index < 12; index++) {
    const payment = await create(index)
    await simulate(demo, payment, 'paid')
    paid.push(payment)
  }
  const [first, refunded] = paid
  await until(
    'the payment that will be refunded has been paid',
    async () => (await shop.get(refunded.id)).data.status === 'paid',
  )
  const refund = await shop.call('POST', `/v1/payments/${refunded.id}/refunds`, {
    body: { amount: 1_000_000, reason: 'one book was missing' },
    headers: { 'x-idempotency-key': randomUUID() },
  })
  // The requests are sent as a logged-in user. If they were sent with the API key, they would fill that key's
  // request log.
  await until('the refund has succeeded', async () => {
    const { data } = await http('GET', `${demo.base_url}/v1/refunds/${refund.data.id}`, { auth })
    return data.status === 'succeeded'
  })
  const event = await until("the first payment's webhook has a delivery attempt", async () => {
    const { data } = await http('GET', `${demo.base_url}/v1/webhook-deliveries?payment_id=${first.id}`, {
      auth,
    })
    return data.items[0]?.attempts.length > 0 && (data.items[0].id as string)
  })
  const delivery = `${demo.base_url}/v1/webhook-endpoints/${endpoint.id}/deliveries/${event}`
  await until('a delivery attempt to the webhook endpoint', async () => {
    const { data } = await http('GET', delivery, { auth })
    return data.attempts.length > 0
  })
  hook.close()
  return { paid: first, refunded, pending, event, endpoint: endpoint.id }
}
