import { setTimeout as sleep } from 'node:timers/promises'
import { v4 as uuid } from 'uuid'
import { heldCents, type MoneyReturn, type ReturnKind, withReturn } from './money-return.ts'
import type { CallbackAnswer, Sending } from './notify.ts'
import type { Order } from './order.ts'
import type { Sandbox } from './provider.ts'
import { providerOf, report } from './report.ts'

// A simulated refund or chargeback is pending until the merchant has responded to the first notification, and
// then succeeds or fails. Depending on the provider, the merchant is notified of both states, only the final
// state, or neither.

type Asked = { kind: ReturnKind; key: string | null; amountCents: number; reason: string }

/** Creates a pending refund or chargeback without storing it. */
export function newReturn(sandbox: Pick<Sandbox, 'providers'>, order: Order, asked: Asked): MoneyReturn {
  const newId = providerOf(sandbox, order).returns?.newId ?? (() => uuid())
  const id = newId(order, asked.kind)
  return { ...asked, id, status: 'pending', createdAt: Date.now(), finalAt: null }
}

type Returning = Pick<Sandbox, 'store' | 'providers' | 'notifier' | 'chaos'>

export type Ending = Pick<Sending, 'tampering' | 'copies'> & {
  status?: 'succeeded' | 'failed'
  // Whether the provider stores the refund or chargeback. False if it is reported only by a forged
  // notification.
  recorded?: boolean
  // How long the refund or chargeback stays pending, in milliseconds.
  pauseMs?: number
}

/** Notifies the merchant of a pending refund or chargeback, makes it final, and notifies the merchant again. */
export async function finishReturn(
  sandbox: Returning,
  order: Order,
  pending: MoneyReturn,
  { status = 'succeeded', recorded = true, pauseMs = 0, ...sending }: Ending = {},
): Promise<CallbackAnswer[]> {
  const begun = withReturn(order, pending)
  const first = await report(sandbox, begun, { ...sending, returned: pending })
  if (pauseMs > 0) await sleep(pauseMs, undefined, { ref: false })
  const final: MoneyReturn = { ...pending, status, finalAt: Date.now() }
  if (recorded && !endReturn(sandbox, order, final)) return first
  const second = await report(sandbox, withReturn(begun, final), { ...sending, returned: final })
  return [...first, ...second]
}

/** After a restart, resumes pending refunds and chargebacks and resends their notifications. */
export function resumeReturns(sandbox: Returning): void {
  for (const { orderSeq, returned } of sandbox.store.listPendingReturns()) {
    const order = sandbox.store.findBySeq(orderSeq)
    if (order) void finishReturn(sandbox, order, returned)
  }
}

/** Makes a pending refund or chargeback final. Returns false if it is already final or if the sandbox has stopped. */
function endReturn({ store }: Pick<Sandbox, 'store'>, order: Order, final: MoneyReturn): boolean {
  if (store.isClosed()) return false
  const known = store.findById(order.id)?.returns.find(({ id }) => id === final.id)
  if (known?.status !== 'pending') return false
  store.recordReturn(order.seq, final)
  return true
}

/** Returns the reason this amount cannot be refunded or charged back, or undefined if it can. */
export function returnFault(order: Order, amountCents: number): 'not paid' | 'too much' | undefined {
  if (order.status !== 'paid') return 'not paid'
  return amountCents > heldCents(order) || amountCents <= 0 ? 'too much' : undefined
}
