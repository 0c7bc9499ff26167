import type { Demo } from '../../src/demo/demo.ts'
import { exampleId } from '../../src/openapi/example-parts.ts'
import { http, until } from './merchant.ts'

/**
 * Sends the rejected request that the API examples for the request log show. Returns the real IDs that replace the
 * placeholders in these examples.
 */
export async function rejectedRequest(demo: Demo, auth: string): Promise<Record<string, string>> {
  const { headers } = await http('POST', `${demo.base_url}/v1/payments/create`, {
    auth,
    headers: { 'x-idempotency-key': 'order-1001', 'user-agent': 'gapura-sdk/0.1.0 node/26.0.0' },
    body: { amount: 0, currency: 'IDR', method_type: 'qris', method_detail: { type: 'qris' } },
  })
  const requestId = headers.get('x-request-id') ?? ''
  const id = await until('the request log contains the rejected request', async () => {
    const { status, data } = await http('GET', `${demo.base_url}/v1/account/requests/${requestId}`, { auth })
    return status === 200 ? (data.id as string) : undefined
  })
  return { [exampleId(16)]: id, [exampleId(17)]: requestId }
}
