import { type Forgery, mischiefOf } from './chaos.ts'
import type { CallbackAnswer, Make, Sending } from './notify.ts'
import type { Order, Status } from './order.ts'
import type { Provider, Sandbox } from './provider.ts'

export function providerOf(sandbox: Pick<Sandbox, 'providers'>, order: Order): Provider {
  const provider = sandbox.providers.find(candidate => candidate.code === order.provider)
  if (!provider) throw new Error(`no provider ${order.provider} for order ${order.id}`)
  return provider
}

/** The provider's own notification of the order's status or, where one is given, of a return of money. */
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

/** Tells the merchant what the order now is; nobody waits for the answer. */
export function sendReport(sandbox: Reporting, order: Order): void {
  void report(sandbox, order)
}

/** Tells the merchant, through whatever chaos is on; the answers are those to the report itself. */
export async function report(
  sandbox: Reporting,
  order: Order,
  sending: Pick<Sending, 'tampering' | 'copies' | 'returned'> = {},
): Promise<CallbackAnswer[]> {
  if (order.notificationUrls.length === 0) return []
  // What a test forges itself goes out as asked, and forgers do not insist.
  if (sending.tampering?.badSignature) return await sandbox.notifier.send(order, { ...sending, retry: false })
  const { lost, stale, forged, copies, delayMs } = mischiefOf(sandbox.chaos, order, sending.returned)
  // Before the first wait: at a shutdown the store is closed while reports are still on their way.
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

/** The order as an overtaken report describes it: `paid` before its returns, any other status before its payment. */
function staleOrder(order: Order, status: Status): Order {
  if (status === 'paid') return { ...order, returns: [] }
  return { ...order, status, recordedCents: order.askedCents, settledAt: null, returns: [] }
}

/** Claims that money came which did not. */
function forgeryOf(store: Sandbox['store'], order: Order, claims: Forgery['claims']): Order {
  const victim = (claims === 'another order' && store.findBefore(order)) || order
  return {
    ...victim,
    // Sent and shown with the order whose report it accompanies.
    seq: order.seq,
    notificationUrls: order.notificationUrls,
    status: 'paid',
    recordedCents: victim.askedCents * 2,
    settledAt: Date.now(),
    returns: [],
  }
}
