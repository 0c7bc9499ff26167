// Finds the changes that open dashboard pages are notified about. A notification contains only IDs. The page
// then repeats its API calls to load the data, so the user sees only permitted data.

/**
 * The kinds of changes that dashboard pages are notified about:
 *
 * - payment: a payment was created, or its status changed
 * - delivery: a webhook event was created, or an attempt to deliver it ended
 * - callback: a provider callback was received or processed
 * - refund: a refund of any tenant was created or finished (only for the Owner)
 * - inbox: money or a payment waits for the Owner's decision
 * - everything: too much changed for a list, so the page reloads all its data
 */
export const changeKinds = ['payment', 'delivery', 'callback', 'refund', 'inbox', 'everything'] as const
export type ChangeKind = (typeof changeKinds)[number]

/**
 * A change sent to open dashboard pages. `id` is the ID of the payment, webhook event, callback or refund, and is empty
 * for other changes. `payment_id` is the ID of the payment to which a webhook event, callback or refund belongs.
 */
export type LiveChange = { kind: ChangeKind; id: string; payment_id: string | null }

export const everything: LiveChange = { kind: 'everything', id: '', payment_id: null }

/**
 * A row found by a poll of the database for changes. `state` differs from the last poll if a dashboard page
 * would now show the row differently.
 */
export type PolledRow = { kind: ChangeKind; id: string; paymentId: string | null; state: string }

const keyOf = ({ kind, id }: PolledRow): string => `${kind} ${id}`
const versionOf = (seen: PolledRow): string => `${keyOf(seen)} ${seen.state}`

/**
 * Compares the results of two polls and returns each new or changed object once, or nothing on the first poll. An
 * unfinished delivery, callback or refund that is missing from `now` counts as changed. It may be missing only because
 * `now` is full, but the additional change is harmless.
 */
export function changesSince(
  before: readonly PolledRow[] | undefined,
  now: readonly PolledRow[],
): LiveChange[] {
  if (!before) return []
  const known = new Set(before.map(versionOf))
  const present = new Set(now.map(keyOf))
  const changed = now.filter(seen => !known.has(versionOf(seen)))
  const gone = before.filter(seen => isUnfinished(seen) && !present.has(keyOf(seen)))
  const once = new Map([...changed, ...gone].map(seen => [keyOf(seen), seen]))
  return [...once.values()].map(({ kind, id, paymentId }) => ({ kind, id, payment_id: paymentId }))
}

/**
 * Returns whether the callback, delivery or refund in the row is unfinished. Every poll lists an unfinished row until
 * its state changes, unless more than 100 rows of the same kind are unfinished.
 */
const isUnfinished = ({ kind, state }: PolledRow): boolean =>
  kind === 'callback'
    ? state === 'received'
    : (kind === 'delivery' || kind === 'refund') && state.startsWith('pending')
