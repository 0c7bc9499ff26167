// Customer names with which a test selects the result of a refund request. The name is that of the order's customer,
// because a refund request contains an order but no customer.

export type RefundSteering = 'reject' | 'outage' | 'timeout' | 'fail' | 'slow'

const names: Record<string, RefundSteering> = {
  'SANDBOX REFUND REJECT': 'reject',
  'SANDBOX REFUND OUTAGE': 'outage',
  'SANDBOX REFUND TIMEOUT': 'timeout',
  'SANDBOX REFUND FAIL': 'fail',
  'SANDBOX REFUND SLOW': 'slow',
}

export function refundSteeringOf({ customer }: { customer: string }): RefundSteering | undefined {
  return Object.hasOwn(names, customer) ? names[customer] : undefined
}

const SLOW_REFUND_MS = 2000

/** How long an accepted refund stays pending, in milliseconds. */
export function pendingMs(steering: RefundSteering | undefined): number {
  return steering === 'slow' ? SLOW_REFUND_MS : 0
}
