import { setTimeout as sleep } from 'node:timers/promises'
import { v4 as uuid } from 'uuid'
import { heldCents, type MoneyReturn, type ReturnKind, withReturn } from './money-return.ts'
import type { CallbackAnswer, Sending } from './notify.ts'
import type { Order } from './order.ts'
import type { Sandbox } from './provider.ts'
import { providerOf, report } from './report.ts'

// A return of money begins as pending and becomes final once its first notification was answered. Some providers
// notify both, some only the end, some neither.

type Asked = { kind: ReturnKind; key: string | null; amountCents: number; reason: string }

/** A return that begins now; nothing is recorded yet. */
export function newReturn(sandbox: Pick<Sandbox, 'providers'>, order: Order, asked: Asked): MoneyReturn {
  const newId = providerOf(sandbox, order).returns?.newId ?? (() => uuid())
  const id = newId(order, asked.kind)
  return { ...asked, id, status: 'pending', createdAt: Date.now(), finalAt: null }
}

type Returning = Pick<Sandbox, 'store' | 'providers' | 'notifier' | 'chaos'>

export type Ending = Pick<Sending, 'tampering' | 'copies'> & {
  status?: 'succeeded' | 'failed'
  // A forged report comes from elsewhere: the provider records nothing.
  recorded?: boolean
  // How long it stays pending.
  pauseMs?: number
}

/** Reports a recorded return, makes it final and reports that too. */
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

/** Goes on with the returns that were pending when the sandbox stopped; their notifications are sent again. */
export function resumeReturns(sandbox: Returning): void {
  for (const { orderSeq, returned } of sandbox.store.listPendingReturns()) {
    const order = sandbox.store.findBySeq(orderSeq)
    if (order) void finishReturn(sandbox, order, returned)
  }
}

/** Makes a pending return final. False if it is final already, or if the sandbox stopped meanwhile. */
function endReturn({ store }: Pick<Sandbox, 'store'>, order: Order, final: MoneyReturn): boolean {
  if (store.isClosed()) return false
  const known = store.findById(order.id)?.returns.find(({ id }) => id === final.id)
  if (known?.status !== 'pending') return false
  store.recordReturn(order.seq, final)
  return true
}

/** Why this amount cannot go back; undefined if it can. */
export function returnFault(order: Order, amountCents: number): 'not paid' | 'too much' | undefined {
  if (order.status !== 'paid') return 'not paid'
  return amountCents > heldCents(order) || amountCents <= 0 ? 'too much' : undefined
}
