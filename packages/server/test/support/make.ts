// Builds common test data with ordinary defaults. A test specifies only the values that matter to it.

import type { Db } from '../../src/db/db.ts'
import { insertPaymentInBatch } from '../../src/payments/payment.sql.ts'
import type { Payment } from '../../src/payments/payment.ts'
import { recordEvents } from '../../src/payments/record/record-event.ts'
import type { CallbackRules } from '../../src/provider-accounts/load-account.ts'
import { insertTenant } from '../../src/tenants/tenant.sql.ts'
import type { Tenant } from '../../src/tenants/tenant.ts'
import { newId } from '../../src/values/id.ts'
import { insertEndpoint, setCallbackUrl } from '../../src/webhooks/endpoint/endpoint.sql.ts'
import { later, makePayment, now } from './make-payment.ts'

export { later, makePayment, now }

/**
 * The callback rules for a provider account that has only one set of credentials and accepts callbacks from any
 * address.
 */
export const noCallbackRules: CallbackRules = {
  previousCredentials: [],
  callbackSources: [],
  inquireAbove: null,
}

/**
 * Creates a Client (a merchant's tenant) with zero balances in live and test mode, and returns its ID. The
 * Client receives webhooks only if `callbackUrl` is set.
 */
export async function makeTenant(
  db: Db,
  { callbackUrl, ...overrides }: Partial<Tenant> & { callbackUrl?: string } = {},
): Promise<string> {
  const tenant: Tenant = {
    id: newId(),
    role: 'client',
    tier: 'enterprise',
    name: 'Toko Budi',
    parentId: null,
    status: 'active',
    ...overrides,
  }
  await db.transaction(tx => insertTenant(tx, tenant))
  if (callbackUrl !== undefined) {
    await insertEndpoint(db, tenant.id, 'sealed')
    await setCallbackUrl(db, tenant.id, callbackUrl)
  }
  return tenant.id
}

/**
 * Inserts a pending payment that a provider accepted. A test that also pays the payment must create the tenant first,
 * because the credit changes the tenant's balance.
 */
export async function insertPendingPayment(db: Db, overrides: Partial<Payment> = {}): Promise<Payment> {
  const payment = makePayment(overrides)
  const { tenantId, id: paymentId, methodData, providerPaymentId } = payment
  if (methodData === null || providerPaymentId === null)
    throw new Error('a pending payment must have payment instructions and an ID from the provider')
  await insertPaymentInBatch(db, { ...payment, status: 'charging', transitionCount: 0 })
  const event = { type: 'accepted', methodData, providerPaymentId } as const
  const [recorded] = await db.transaction(tx =>
    recordEvents(tx, [{ tenantId, paymentId, event, cause: 'create' }], payment.createdAt),
  )
  return (recorded as { payment: Payment }).payment
}
