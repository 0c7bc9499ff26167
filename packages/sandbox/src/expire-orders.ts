import { meetOutcome } from './order.ts'
import type { Sandbox } from './provider.ts'
import { sendReport } from './report.ts'

const ORDERS_PER_SCAN = 500

/**
 * Expires all orders whose expiry time has passed. One indexed query finds them, so the sandbox needs no timer per
 * order.
 */
export function expireOrders(sandbox: Pick<Sandbox, 'store' | 'notifier' | 'chaos'>, now: number): void {
  const due = sandbox.store.listDue(now, ORDERS_PER_SCAN)
  if (due.length === 0) return
  const expired = due.map(order => meetOutcome(order, 'expired', undefined, now).recorded)
  sandbox.store.together(() => {
    for (const order of expired) sandbox.store.recordOrder(order)
  })
  for (const order of expired) sendReport(sandbox, order)
}
