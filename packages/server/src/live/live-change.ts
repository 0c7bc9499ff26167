// What a page that is open learns of: that something it may show has changed, and never what it has become. The page
// asks for that as it did before, so nothing is shown here that its other calls would not show.

import { z } from 'zod'

export const changeKinds = ['payment', 'delivery', 'callback', 'inbox'] as const

export const liveChange = z.strictObject({
  kind: z.enum(changeKinds).meta({
    description:
      'payment: it was created, or its status changed; delivery: an event, or what came of it; callback: one of a provider came or was handled; inbox: money or a payment that waits for the Owner',
  }),
  id: z.string().meta({ description: 'Of the payment, the event or the callback; empty of the inbox' }),
  payment_id: z.string().nullable().meta({ description: 'Of a delivery: the payment that it tells of' }),
})
export type LiveChange = z.output<typeof liveChange>

/** What stands at one look; state is another whenever the page would show another. */
export type Seen = { kind: LiveChange['kind']; id: string; paymentId: string | null; state: string }

const keyOf = ({ kind, id }: Seen): string => `${kind} ${id}`
const stateOf = (seen: Seen): string => `${keyOf(seen)} ${seen.state}`

/**
 * Each once, however many of its states are seen: a payment that was created and paid between two looks has both. What is new or another since the look before. One that has left the list was settled, or pushed out by newer ones: to
 * look at it again does no harm. before: undefined at the first look, which is compared with nothing.
 */
export function changesSince(before: readonly Seen[] | undefined, now: readonly Seen[]): LiveChange[] {
  if (!before) return []
  const known = new Set(before.map(stateOf))
  const present = new Set(now.map(keyOf))
  const changed = now.filter(seen => !known.has(stateOf(seen)))
  const gone = before.filter(seen => seen.kind === 'delivery' && !present.has(keyOf(seen)))
  const once = new Map([...changed, ...gone].map(seen => [keyOf(seen), seen]))
  return [...once.values()].map(({ kind, id, paymentId }) => ({ kind, id, payment_id: paymentId }))
}
