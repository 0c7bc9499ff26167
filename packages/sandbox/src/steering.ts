// Customer names that make a provider misbehave on purpose. The name travels in every provider's create
// request, so a test steers the provider through the whole service without a back door.

export type Steering = 'reject' | 'timeout' | 'slow' | 'outage'

const names: Record<string, Steering> = {
  'SANDBOX REJECT': 'reject',
  'SANDBOX TIMEOUT': 'timeout',
  'SANDBOX SLOW': 'slow',
  'SANDBOX OUTAGE': 'outage',
}

export const SLOW_ANSWER_MS = 2000

export function steeringOf(customer: string): Steering | undefined {
  return Object.hasOwn(names, customer) ? names[customer] : undefined
}
