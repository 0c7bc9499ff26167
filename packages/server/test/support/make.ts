// Builders of what many tests need. Each gives something ordinary; a test names only what it is about.

import type { Db } from '../../src/db/db.ts'
import { newId } from '../../src/id.ts'
import { insertPayment } from '../../src/payments/payment.sql.ts'
import type { Payment } from '../../src/payments/payment.ts'
import { newPaymentCode } from '../../src/payments/payment-code.ts'
import { recordEvents } from '../../src/payments/record-event.ts'
import type { CallbackRules } from '../../src/provider-accounts/load-account.ts'
import { insertTenant } from '../../src/tenants/tenant.sql.ts'
import type { Tenant } from '../../src/tenants/tenant.ts'
import { insertEndpoint, setCallbackUrl } from '../../src/webhooks/webhook.sql.ts'

/** When everything here happens. */
export const now = new Date('2026-11-20T03:04:05.678Z')
export const later = (ms: number): Date => new Date(now.getTime() + ms)

/** Of an account with one set of credentials that takes callbacks from anywhere. */
export const noCallbackRules: CallbackRules = {
  previousCredentials: [],
  callbackSources: [],
  inquireAbove: null,
}

/** A pending BCA virtual account of Rp100,000. */
export function makePayment(overrides: Partial<Payment> = {}): Payment {
  const id = newId()
  return {
    tenantId: newId(),
    id,
    mode: 'live',
    paymentCode: newPaymentCode(now),
    idempotencyKey: `order-${id}`,
    fingerprint: Buffer.alloc(32, 1),
    amount: 10_000_000n,
    currency: 'IDR',
    methodType: 'virtual_account',
    channel: 'bca',
    methodDetail: { type: 'virtual_account', bank: 'BCA' },
    methodData: { type: 'virtual_account', bank: 'BCA', va_number: '812785002530231' },
    status: 'pending',
    transitionCount: 1,
    provider: 'midtrans',
    providerAccountId: newId(),
    attempt: 1,
    providerPaymentId: 'be03df7d-2f97-4c8c-a53c-8959f1b67295',
    customerName: 'Budi Santoso',
    customerEmail: 'budi@example.com',
    customerPhone: '081234567890',
    items: [],
    returnUrl: null,
    customerIp: null,
    expiryMinutes: 60,
    expiresAt: later(3_600_000),
    paidAt: null,
    amountPaid: null,
    paidReference: null,
    receipt: null,
    reversedAt: null,
    failureReason: null,
    amountReceived: null,
    nextCheckAt: later(3_600_000),
    createdAt: now,
    updatedAt: now,
    ...overrides,
  }
}

/** A Client with both balances at zero, and with webhooks on if callbackUrl is given. Returns its id. */
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
  await insertTenant(db, tenant)
  if (callbackUrl !== undefined) {
    await insertEndpoint(db, tenant.id, 'sealed')
    await setCallbackUrl(db, tenant.id, callbackUrl)
  }
  return tenant.id
}

/** In the database as a provider accepted it. Needs a tenant that exists only where it is paid later. */
export async function insertPendingPayment(db: Db, overrides: Partial<Payment> = {}): Promise<Payment> {
  const payment = makePayment(overrides)
  const { tenantId, id: paymentId, methodData, providerPaymentId } = payment
  if (methodData === null || providerPaymentId === null) throw new Error('a pending payment has instructions')
  await insertPayment(db, { ...payment, status: 'charging', transitionCount: 0 })
  const event = { type: 'accepted', methodData, providerPaymentId } as const
  const [recorded] = await db.transaction(tx =>
    recordEvents(tx, [{ tenantId, paymentId, event, cause: 'create' }], payment.createdAt),
  )
  return (recorded as { payment: Payment }).payment
}
