import { z } from 'zod'
import {
  heldCents,
  type MoneyReturn,
  type ReturnOutcome,
  returnOutcomes,
  withReturn,
} from './money-return.ts'
import type { CallbackAnswer } from './notify.ts'
import { meetOutcome, type Order, type Outcome, outcomes } from './order.ts'
import type { Sandbox } from './provider.ts'
import { report } from './report.ts'
import { finishReturn, newReturn, returnFault } from './return-money.ts'

export const simulatedOutcome = z.enum([...outcomes, ...returnOutcomes])

export const simulation = z
  .object({
    payment_code: z.string().min(1),
    outcome: simulatedOutcome,
    amount: z.int().positive().optional(),
    copies: z.int().min(1).max(100).optional(),
    bad_signature: z.boolean().optional(),
    currency: z.string().min(1).optional(),
    status: z.string().min(1).optional(),
    unknown_fields: z.boolean().optional(),
  })
  .refine(({ outcome, amount }) => outcome !== 'partially_refunded' || amount !== undefined, {
    path: ['amount'],
    message: 'is required for partially_refunded',
  })
export type Simulation = Omit<z.infer<typeof simulation>, 'payment_code'>

export type SimulationFault = { field: string; message: string }

/** Records a simulated outcome without notifying the merchant. Returns a fault if the outcome is not possible. */
export function applyOutcome(
  sandbox: Sandbox,
  order: Order,
  wanted: Simulation,
): SimulationFault | undefined {
  const { outcome } = wanted
  if (!isReturn(outcome)) {
    metOutcome(sandbox, order, outcome, wanted)
    return undefined
  }
  const begun = begunReturn(sandbox, order, outcome, wanted)
  if ('field' in begun) return begun
  if (!wanted.bad_signature) {
    sandbox.store.recordReturn(order.seq, { ...begun, status: endOf(outcome), finalAt: Date.now() })
  }
  return undefined
}

/**
 * Records the outcome before sending the notification, so a status inquiry returns the new outcome while the
 * merchant handles the notification.
 */
export async function simulateOutcome(
  sandbox: Sandbox,
  order: Order,
  wanted: Simulation,
): Promise<CallbackAnswer[] | SimulationFault> {
  const { outcome, copies = 1 } = wanted
  const sending = { copies, tampering: tamperingOf(wanted) }
  if (!isReturn(outcome)) {
    return await report(sandbox, metOutcome(sandbox, order, outcome, wanted), sending)
  }
  const begun = begunReturn(sandbox, order, outcome, wanted)
  if ('field' in begun) return begun
  const recorded = !wanted.bad_signature
  if (recorded) sandbox.store.recordReturn(order.seq, begun)
  const ending = { ...sending, recorded, status: endOf(outcome) }
  return await finishReturn(sandbox, withReturn(order, begun), begun, ending)
}

function isReturn(outcome: Outcome | ReturnOutcome): outcome is ReturnOutcome {
  return returnOutcomes.some(each => each === outcome)
}

const endOf = (outcome: ReturnOutcome): 'failed' | 'succeeded' =>
  outcome === 'dispute_won' ? 'failed' : 'succeeded'

function metOutcome(sandbox: Sandbox, order: Order, outcome: Outcome, wanted: Simulation): Order {
  const { told, recorded } = meetOutcome(order, outcome, wanted.amount, Date.now())
  // A notification with a bad signature does not change the order that the simulated provider stores.
  if (!wanted.bad_signature) sandbox.store.recordOrder(recorded)
  return told
}

/**
 * Creates a refund or chargeback that the provider initiates. The default amount is all the money that the
 * provider still holds for the order.
 */
function begunReturn(
  sandbox: Sandbox,
  order: Order,
  outcome: ReturnOutcome,
  { amount: amountCents = heldCents(order) }: Simulation,
): MoneyReturn | SimulationFault {
  switch (returnFault(order, amountCents)) {
    case 'not paid':
      return { field: 'outcome', message: `outcome: ${outcome} requires a paid order` }
    case 'too much':
      return {
        field: 'amount',
        message: `amount: must be at most ${heldCents(order)} cents, the amount of this order that the provider still holds`,
      }
  }
  const kind = outcome === 'chargeback' || outcome === 'dispute_won' ? 'chargeback' : 'refund'
  return newReturn(sandbox, order, { kind, key: null, amountCents, reason: '' })
}

function tamperingOf({ bad_signature, currency, status, unknown_fields }: Simulation) {
  return {
    ...(bad_signature && { badSignature: true }),
    ...(currency !== undefined && { currency }),
    ...(status !== undefined && { status }),
    ...(unknown_fields && { unknownFields: true }),
  }
}
