import { type Forgery, mischiefOf } from './chaos.ts'
import type { CallbackAnswer, Make, Sending } from './notify.ts'
import type { Order, Status } from './order.ts'
import type { Provider, Sandbox } from './provider.ts'

export function providerOf(sandbox: Pick<Sandbox, 'providers'>, order: Order): Provider {
  const provider = sandbox.providers.find(candidate => candidate.code === order.provider)
  if (!provider) throw new Error(`the provider ${order.provider} of order ${order.id} is unknown`)
  return provider
}

/**
 * Creates the provider's notification. If `returned` is present, the notification reports that refund or
 * chargeback. Otherwise, it reports the order's status.
 */
export function makeNotification(
  sandbox: Sandbox,
  ...[order, url, tampering, ask, returned]: Parameters<Make>
): ReturnType<Make> {
  const { notification, returns } = providerOf(sandbox, order)
  return returned
    ? returns?.notification(sandbox, order, returned, url, tampering, ask)
    : notification(sandbox, order, url, tampering, ask)
}

type Reporting = Pick<Sandbox, 'notifier' | 'store' | 'chaos'>

/** Notifies the merchant of the order's status without waiting for a response. */
export function sendReport(sandbox: Reporting, order: Order): void {
  void report(sandbox, order)
}

/**
 * Notifies the merchant and applies the configured random failures. Returns only the merchant's responses to the
 * genuine notification. Responses to outdated or forged notifications are omitted.
 */
export async function report(
  sandbox: Reporting,
  order: Order,
  sending: Pick<Sending, 'tampering' | 'copies' | 'returned'> = {},
): Promise<CallbackAnswer[]> {
  if (order.notificationUrls.length === 0) return []
  // A notification that a test forges is never retried, so random failures must not affect it.
  if (sending.tampering?.badSignature) return await sandbox.notifier.send(order, { ...sending, retry: false })
  const { lost, stale, forged, copies, delayMs } = mischiefOf(sandbox.chaos, order, sending.returned)
  // Reads the database before the first await, because the database may be closed while notifications are being sent.
  const forgery = forged && forgeryOf(sandbox.store, order, forged.claims)
  const sendStray = (stray: Order, tampering = {}) =>
    sandbox.notifier.send(stray, { tampering, retry: false })

  if (forgery && forged.when === 'before') await sendStray(forgery, { badSignature: true })
  if (stale) await sendStray(staleOrder(order, stale))
  const answers = lost
    ? []
    : await sandbox.notifier.send(order, {
        ...sending,
        copies: Math.max(sending.copies ?? 1, copies),
        delayMs,
      })
  if (forgery && forged.when === 'after') await sendStray(forgery, { badSignature: true })
  return answers
}

/**
 * Returns an earlier state of the order, for an outdated notification. If the parameter `status` is `paid`, this is the
 * state before refunds and chargebacks. For any other status, it is the state before the order was paid.
 */
function staleOrder(order: Order, status: Status): Order {
  if (status === 'paid') return { ...order, returns: [] }
  return { ...order, status, recordedCents: order.askedCents, settledAt: null, returns: [] }
}

/** Returns an order that falsely appears to be paid, for a forged notification. */
function forgeryOf(store: Sandbox['store'], order: Order, claims: Forgery['claims']): Order {
  const victim = (claims === 'another order' && store.findBefore(order)) || order
  return {
    ...victim,
    // A forged notification may name another order. It is nevertheless sent to the notification URLs of the current
    // order, and logged with the current order.
    seq: order.seq,
    notificationUrls: order.notificationUrls,
    status: 'paid',
    recordedCents: victim.askedCents * 2,
    settledAt: Date.now(),
    returns: [],
  }
}
