// The calls of operations.heavy.test.ts for two groups of operations: those that show support staff a merchant's
// payments, and the erasure of a payer's data.

import type { Call } from '../support/management-api.ts'
import type { Answer } from '../support/merchant.ts'

type Callers = {
  client: Call
  owner: Call
  create: () => Promise<{ id: string }>
  /** Creates a payment and waits until it is paid. */
  pay: () => Promise<{ id: string }>
  /** Requests a manual refund of a paid payment. */
  refund: () => Promise<Answer>
  clientPath: (rest?: string) => string
}

/**
 * Maps each operation ID to a function that calls the operation. The parameter `to` returns the callers. Only
 * these functions may call `to`, because the callers log in after this map is created.
 */
export const supportCalls = (to: () => Callers): Record<string, () => Promise<Answer>> => {
  const read = async (payment: Promise<{ id: string }>, rest = '') =>
    to().owner('GET', to().clientPath(`/payments/${(await payment).id}${rest}`))
  return {
    listTenantPayments: () => to().owner('GET', to().clientPath('/payments?mode=test&limit=1&count=true')),
    getTenantPayment: () => read(to().create()),
    listTenantPaymentTimeline: () => read(to().create(), '/timeline'),
    listTenantPaymentAttempts: () => read(to().create(), '/attempts'),
    listTenantPaymentCallbacks: () => read(to().pay(), '/callbacks'),
    listTenantPaymentDeliveries: () => read(to().create(), '/deliveries'),
    listTenantPaymentRefunds: async () =>
      to().owner('GET', to().clientPath(`/payments/${(await to().refund()).data.payment_id}/refunds`)),
    eraseCustomer: async () =>
      to().client('POST', '/v1/account/erase-customer', { payment_id: (await to().create()).id }),
  }
}
