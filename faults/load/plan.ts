// Plans the payments of a fault-injection round. The plan depends only on the round's seed.

import { seeded } from '../../packages/server/test/support/seeded-random.ts'
import { failing } from './receiver.ts'

/**
 * What happens to a payment after its creation.
 *
 * - paid silently: the payer pays, but the provider sends no callback.
 * - forged: a callback with an invalid signature reports the payment as paid.
 * - cancelled and paid: the payer pays after the payment has been cancelled.
 * - paid in parts: the payer first pays a part of the amount, and later the rest.
 * - paid and more: the payer pays the full amount, and later pays more.
 * - refunded, charged back: the provider refunds the paid payment or reports a chargeback.
 * - merchant refunds, merchant refunds a part: the merchant refunds the paid payment in full or in part.
 * - merchant refund fails: the provider accepts the merchant's refund, but the refund fails later.
 */
export const fates = [
  'paid',
  'paid silently',
  'forged',
  'left alone',
  'cancelled',
  'cancelled and paid',
  'paid in parts',
  'paid and more',
  'refunded',
  'charged back',
  'merchant refunds',
  'merchant refunds a part',
  'merchant refund fails',
] as const
export type Fate = (typeof fates)[number]

export type Plan = {
  n: number
  atMs: number
  /** Selects the payment's merchant: a position in the list of merchants, from 0 (its start) to 1 (its end). */
  merchant: number
  method: number
  amountCents: number
  /** True if the create request is sent twice at the same time, as an impatient client may do. */
  isDoubled: boolean
  fate: Fate
  /** The delay until the customer pays or cancels, in milliseconds. */
  hesitatesMs: number
  copies: number
  customer: string
}

const shares: Record<Fate, number> = {
  paid: 0.3,
  'paid silently': 0.1,
  forged: 0.07,
  'left alone': 0.07,
  cancelled: 0.05,
  'cancelled and paid': 0.05,
  'paid in parts': 0.05,
  'paid and more': 0.05,
  refunded: 0.06,
  'charged back': 0.04,
  'merchant refunds': 0.06,
  'merchant refunds a part': 0.06,
  'merchant refund fails': 0.04,
}

/** If the customer has this name, the provider sandbox accepts a refund and later reports that the refund failed. */
const REFUND_FAILS = 'SANDBOX REFUND FAIL'

export function planOf(seed: number, { payments, seconds }: { payments: number; seconds: number }): Plan[] {
  const random = seeded(seed)
  return Array.from({ length: payments }, (_, n) => {
    const plan = anyPlan(random, n, ((n + random()) * seconds * 1_000) / payments)
    return plan.fate === 'merchant refund fails' ? { ...plan, customer: REFUND_FAILS } : plan
  })
}

function anyPlan(random: () => number, n: number, atMs: number): Plan {
  return {
    n,
    atMs,
    merchant: random(),
    method: random(),
    amountCents: (20_000 + Math.floor(random() * 30_000)) * 100,
    isDoubled: random() < 0.1,
    fate: fateOf(random()),
    hesitatesMs: random() * 3_000,
    copies: random() < 0.2 ? 3 : 1,
    customer: `Pembeli ${n}${receiverFails(random())}`,
  }
}

function fateOf(drawn: number): Fate {
  let rest = drawn
  for (const fate of fates) {
    rest -= shares[fate]
    if (rest < 0) return fate
  }
  return 'left alone'
}

/**
 * Returns a suffix for the customer's name. The suffix determines how many delivery attempts fail at the webhook
 * receiver: one to three attempts for 8 % of the customers, and all attempts for 2 %.
 */
function receiverFails(drawn: number): string {
  if (drawn < 0.02) return ` ${failing(9)}`
  return drawn < 0.1 ? ` ${failing(1 + (Math.floor(drawn * 1_000) % 3))}` : ''
}
