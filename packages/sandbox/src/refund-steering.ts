// Customer names that decide what becomes of a refund that the merchant asks for. The name is the order's: every
// provider's refund request names an order and none of them names a customer.

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

/** How long an accepted refund stays pending. */
export function pendingMs(steering: RefundSteering | undefined): number {
  return steering === 'slow' ? SLOW_REFUND_MS : 0
}
