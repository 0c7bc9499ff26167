// Merges a payment's status changes, charge attempts, webhooks and delivery attempts into one timeline.

import type { Outputs } from '../api/trpc.ts'

type Change = Outputs['payments']['timeline'][number]
type Try = Outputs['payments']['attempts'][number]
export type Delivery = Outputs['webhooks']['deliveries']['items'][number]
export type WebhookAttempt = Delivery['attempts'][number]

export type Happening =
  | { kind: 'change'; at: string; key: string; change: Change }
  | { kind: 'try'; at: string; key: string; try: Try }
  | { kind: 'event'; at: string; key: string; delivery: Delivery }
  | { kind: 'attempt'; at: string; key: string; delivery: Delivery; attempt: WebhookAttempt }

/**
 * The order of history items with the same time: first a status change, then the event stored with it, then the
 * event's delivery attempts.
 */
const order: Record<Happening['kind'], number> = { change: 0, try: 1, event: 2, attempt: 3 }

export function historyOf(
  changes: readonly Change[],
  tries: readonly Try[],
  deliveries: readonly Delivery[],
): Happening[] {
  const happenings: Happening[] = [
    ...changes.map((change, index) => ({
      kind: 'change' as const,
      at: change.at,
      key: `change ${index}`,
      change,
    })),
    ...tries.map(each => ({
      kind: 'try' as const,
      at: each.started_at,
      key: `try ${each.number}`,
      try: each,
    })),
    ...deliveries.flatMap(delivery => [
      { kind: 'event' as const, at: delivery.created_at, key: `event ${delivery.id}`, delivery },
      ...delivery.attempts.map(attempt => ({
        kind: 'attempt' as const,
        at: attempt.started_at,
        key: `attempt ${delivery.id} ${attempt.number}`,
        delivery,
        attempt,
      })),
    ]),
  ]
  return happenings.toSorted(
    (one, other) => Date.parse(one.at) - Date.parse(other.at) || order[one.kind] - order[other.kind],
  )
}
