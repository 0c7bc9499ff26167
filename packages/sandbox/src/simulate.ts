import { z } from 'zod'
import type { CallbackAnswer } from './notify.ts'
import { meetOutcome, type Order, outcomes } from './order.ts'
import type { Sandbox } from './provider.ts'
import { report } from './report.ts'

export const simulation = z.object({
  payment_code: z.string().min(1),
  outcome: z.enum(outcomes),
  amount: z.int().positive().optional(),
  copies: z.int().min(1).max(100).optional(),
  bad_signature: z.boolean().optional(),
  currency: z.string().min(1).optional(),
  status: z.string().min(1).optional(),
  unknown_fields: z.boolean().optional(),
})
export type Simulation = Omit<z.infer<typeof simulation>, 'payment_code'>

/** Records the outcome before anyone is told: whoever asks back on the notification finds it. */
export function applyOutcome(sandbox: Sandbox, order: Order, wanted: Simulation): Order {
  const { told, recorded } = meetOutcome(order, wanted.outcome, wanted.amount, Date.now())
  // A forged notification comes from elsewhere: the provider knows nothing of it.
  if (!wanted.bad_signature) sandbox.store.recordOrder(recorded)
  return told
}

export async function simulateOutcome(
  sandbox: Sandbox,
  order: Order,
  wanted: Simulation,
): Promise<CallbackAnswer[]> {
  const told = applyOutcome(sandbox, order, wanted)
  const { copies = 1, bad_signature, currency, status, unknown_fields } = wanted
  return await report(sandbox, told, {
    copies,
    tampering: {
      ...(bad_signature && { badSignature: true }),
      ...(currency !== undefined && { currency }),
      ...(status !== undefined && { status }),
      ...(unknown_fields && { unknownFields: true }),
    },
  })
}
