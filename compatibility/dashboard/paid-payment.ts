import type { Demo } from '../../packages/server/src/demo/demo.ts'
import { merchantOf, simulate, until } from '../../packages/server/test/support/merchant.ts'

export const qris = { method_type: 'qris', method_detail: { type: 'qris' } }

/** Creates a paid payment, by default of Rp 100,000 to a virtual account. */
export async function paidPayment(
  demo: Demo,
  order: object = {},
): Promise<{ id: string; payment_code: string }> {
  const shop = merchantOf(demo)
  const { data: payment } = await shop.create(order)
  await simulate(demo, payment, 'paid')
  await until('the payment is paid', async () => (await shop.get(payment.id)).data.status === 'paid')
  return payment
}
