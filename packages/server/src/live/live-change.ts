// Notifies an open dashboard page that data it may show has changed. A notification contains no data. The page repeats
// its usual calls instead, so a notification reveals nothing else.

/**
 * - payment: a payment was created, or its status changed
 * - delivery: a webhook event was created, or an attempt to deliver it ended
 * - callback: a provider's callback was received or processed
 * - inbox: money or a payment waits for a decision of the Owner
 * - everything: so much changed that the changes are not listed individually
 */
export type ChangeKind = 'payment' | 'delivery' | 'callback' | 'inbox' | 'everything'

/**
 * One change. `id` is the id of the payment, event or callback; otherwise it is empty. `payment_id` is the payment that
 * a delivery is about.
 */
export type LiveChange = { kind: ChangeKind; id: string; payment_id: string | null }

export const everything: LiveChange = { kind: 'everything', id: '', payment_id: null }

/** A row as one poll finds it. Its `state` changes whenever the page would show the row differently. */
export type PolledRow = { kind: ChangeKind; id: string; paymentId: string | null; state: string }

const keyOf = ({ kind, id }: PolledRow): string => `${kind} ${id}`
const versionOf = (seen: PolledRow): string => `${keyOf(seen)} ${seen.state}`

/**
 * Returns the objects that are new or changed since the previous poll, each once. A pending delivery that is no longer
 * listed has ended or was displaced by newer ones; reporting it again is harmless. `before` is undefined at the first
 * poll, which reports nothing.
 */
export function changesSince(
  before: readonly PolledRow[] | undefined,
  now: readonly PolledRow[],
): LiveChange[] {
  if (!before) return []
  const known = new Set(before.map(versionOf))
  const present = new Set(now.map(keyOf))
  const changed = now.filter(seen => !known.has(versionOf(seen)))
  const gone = before.filter(
    seen => seen.kind === 'delivery' && seen.state.startsWith('pending') && !present.has(keyOf(seen)),
  )
  const once = new Map([...changed, ...gone].map(seen => [keyOf(seen), seen]))
  return [...once.values()].map(({ kind, id, paymentId }) => ({ kind, id, payment_id: paymentId }))
}
