import type { Demo } from '../../src/demo/demo.ts'
import { http, until } from './merchant.ts'

/** Sends the request that the examples of the request log show, and returns the id of its entry. */
export async function rejectedRequest(demo: Demo, auth: string): Promise<string> {
  await http('POST', `${demo.base_url}/v1/payments/create`, {
    auth,
    headers: { 'x-request-id': 'order-1001', 'x-idempotency-key': 'order-1001' },
    body: { amount: 0, currency: 'IDR', method_type: 'qris', method_detail: { type: 'qris' } },
  })
  return until('the request in the log', async () => {
    const { status, data } = await http('GET', `${demo.base_url}/v1/account/requests/order-1001`, { auth })
    return status === 200 ? (data.id as string) : undefined
  })
}
