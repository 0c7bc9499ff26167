// Inserts webhook events and their jobs in one transaction, as the service does.

import type { App } from '../../packages/server/src/app.ts'
import { viewPayment } from '../../packages/server/src/payments/payment-view.ts'
import { newId } from '../../packages/server/src/values/id.ts'
import { insertEvents } from '../../packages/server/src/webhooks/event.sql.ts'
import { type WebhookEvent, webhookEvent } from '../../packages/server/src/webhooks/event.ts'
import type { Tenant } from '../host/database.ts'

/**
 * The number of events per transaction. It equals the number of events that a full batch of payments creates.
 */
const AT_ONCE = 200

/** Inserts the events, spread evenly over the tenants. */
export async function addEvents(
  { db }: Pick<App, 'db'>,
  tenants: Tenant[],
  count: number,
): Promise<WebhookEvent[]> {
  const at = new Date()
  const events = Array.from({ length: count }, (_, n) =>
    paidEvent((tenants[n % tenants.length] as Tenant).id, at),
  )
  for (let begun = 0; begun < count; begun += AT_ONCE) {
    await db.transaction(tx => insertEvents(tx, events.slice(begun, begun + AT_ONCE)))
  }
  return events
}

/**
 * Creates the webhook event of a paid payment. The payment does not have to exist, because the service needs
 * only the event to send the webhook.
 */
export function paidEvent(tenantId: string, at: Date): WebhookEvent {
  const id = newId()
  const view = viewPayment({
    tenantId,
    id,
    mode: 'live',
    paymentCode: 'GP261120-7Q4M2ZK8XW',
    idempotencyKey: `bench-${id}`,
    amount: 10_000_000n,
    currency: 'IDR',
    methodType: 'virtual_account',
    methodDetail: { type: 'virtual_account', bank: 'BCA' },
    methodData: { type: 'virtual_account', bank: 'BCA', va_number: '812785002530231' },
    status: 'paid',
    provider: 'midtrans',
    providerPaymentId: id,
    customerName: 'Budi Santoso',
    customerEmail: 'budi@example.com',
    customerPhone: '081234567890',
    items: [],
    expiresAt: at,
    paidAt: at,
    amountPaid: 10_000_000n,
    amountRefunded: 0n,
    amountReversed: 0n,
    failureReason: null,
    createdAt: at,
    updatedAt: at,
  })
  const subject = { tenantId, id, transitionCount: 2, mode: 'live' } as const
  return webhookEvent(subject, view, 'payment.paid', 'pending', at, undefined)
}
