// A test selects the result of a refund request by giving the order's customer a special name, such as SANDBOX REFUND
// FAIL. The sandbox reads the name from the order, because a refund request does not contain it.

export type RefundSteering = 'reject' | 'no_funds' | 'outage' | 'timeout' | 'fail' | 'slow'

const names: Record<string, RefundSteering> = {
  'SANDBOX REFUND REJECT': 'reject',
  'SANDBOX REFUND NO FUNDS': 'no_funds',
  'SANDBOX REFUND OUTAGE': 'outage',
  'SANDBOX REFUND TIMEOUT': 'timeout',
  'SANDBOX REFUND FAIL': 'fail',
  'SANDBOX REFUND SLOW': 'slow',
}

export function refundSteeringOf({ customer }: { customer: string }): RefundSteering | undefined {
  return Object.hasOwn(names, customer) ? names[customer] : undefined
}

const SLOW_REFUND_MS = 2000

/** Returns for how many milliseconds the simulated provider keeps an accepted refund pending. */
export function pendingMs(steering: RefundSteering | undefined): number {
  return steering === 'slow' ? SLOW_REFUND_MS : 0
}
