// What a page that is open learns of: that something it may show has changed, and never what it has become. The page
// asks for that as it did before, so nothing is shown here that its other calls would not show.

/**
 * payment: it was created, or its status changed; delivery: an event, or what came of it; callback: one of a provider came
 * or was handled; inbox: money or a payment that waits for the Owner; everything: more changed than is told one by one.
 */
export type ChangeKind = 'payment' | 'delivery' | 'callback' | 'inbox' | 'everything'

/** id: of the payment, the event or the callback, else empty. payment_id: of a delivery, the payment that it tells of. */
export type LiveChange = { kind: ChangeKind; id: string; payment_id: string | null }

export const everything: LiveChange = { kind: 'everything', id: '', payment_id: null }

/** What stands at one look; state is another whenever the page would show another. */
export type Seen = { kind: ChangeKind; id: string; paymentId: string | null; state: string }

const keyOf = ({ kind, id }: Seen): string => `${kind} ${id}`
const stateOf = (seen: Seen): string => `${keyOf(seen)} ${seen.state}`

/**
 * What is new or another since the look before, each once: a payment that was created and paid between two looks is seen in
 * both states. A delivery that waited and is not listed any more was settled, or pushed out by newer ones: to look at it
 * again does no harm. before: undefined at the first look, which is compared with nothing.
 */
export function changesSince(before: readonly Seen[] | undefined, now: readonly Seen[]): LiveChange[] {
  if (!before) return []
  const known = new Set(before.map(stateOf))
  const present = new Set(now.map(keyOf))
  const changed = now.filter(seen => !known.has(stateOf(seen)))
  const gone = before.filter(
    seen => seen.kind === 'delivery' && seen.state.startsWith('pending') && !present.has(keyOf(seen)),
  )
  const once = new Map([...changed, ...gone].map(seen => [keyOf(seen), seen]))
  return [...once.values()].map(({ kind, id, paymentId }) => ({ kind, id, payment_id: paymentId }))
}
