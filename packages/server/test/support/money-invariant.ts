// Checks an invariant of every payment: the money that the provider last reported equals the payment's ledger entries
// plus its open records of unexpected money. A record is open until the Owner decides on it. The functions in this file
// do no I/O, so both tests and a checker for a running service can use them.

/** One payment's money as Gapura has recorded it: ledger entries and records of unexpected money. */
export type Books = {
  entries: { entryType: 'credit' | 'debit'; amount: bigint }[]
  records: {
    kind: string
    status: string
    credited: boolean
    /** The amount of unexpected money in the record, or null if the provider did not report an amount. */
    amount: bigint | null
  }[]
}

const sum = (amounts: bigint[]): bigint => amounts.reduce((total, amount) => total + amount, 0n)

export function recorded({ entries, records }: Books): bigint {
  const posted = entries.map(({ entryType, amount }) => (entryType === 'credit' ? amount : -amount))
  const waiting = records
    // Records of the kind `unconfirmed` do not count, because the provider has not confirmed that it received
    // this money.
    .filter(({ kind, status, credited }) => status === 'open' && !credited && kind !== 'unconfirmed')
    .map(({ kind, amount }) => (isReturn(kind) ? -(amount ?? 0n) : (amount ?? 0n)))
  return sum(posted) + sum(waiting)
}

const isReturn = (kind: string): boolean => kind === 'refund' || kind === 'chargeback'

/**
 * One payment's money, as it follows from the provider's reports and the Owner's decisions. Two kinds of
 * decisions count: refunds, and credits without the provider's confirmation.
 */
export type Held = {
  /**
   * Maps the ID of each receipt (an amount received from the payer) to the largest amount reported for it. When a
   * receipt is reversed, it is removed, so that earlier reports no longer count.
   */
  receipts: Map<string, bigint>
  /**
   * The reported refunds and chargebacks, by kind and ID, or by kind alone while the ID is unknown. The status is the
   * most advanced status that the provider has reported.
   */
  returns: Map<
    string,
    { amount: bigint | null; status: 'pending' | 'succeeded' | 'failed'; dismissed?: string }
  >
  /**
   * The Owner's refunds of received money, by ID, except failed refunds. If the refunded money was credited, `receipt`
   * is null. Otherwise, `receipt` is the money's receipt ID, because a later reversal of this receipt includes the
   * refunded amount.
   */
  refunds: Map<string, { amount: bigint; receipt: string | null }>
  /**
   * The amount, in cents, that the Owner credited for a challenged payment (held by the provider for review) without
   * the provider's confirmation. Zero after the provider has confirmed or contradicted the credit.
   */
  unconfirmed: bigint
}

export const nothingHeld = (): Held => ({
  receipts: new Map(),
  returns: new Map(),
  refunds: new Map(),
  unconfirmed: 0n,
})

export function held({ receipts, returns, refunds, unconfirmed }: Held): bigint {
  const gone = [...returns.values()]
    .filter(({ status, dismissed }) => status !== 'failed' && dismissed === undefined)
    .map(({ amount }) => amount ?? 0n)
  const refunded = [...refunds.values()].map(({ amount }) => amount)
  return sum([...receipts.values()]) - sum(gone) - sum(refunded) + unconfirmed
}

export function reportReceipt(at: Held, receipt: string, amount: bigint): void {
  const known = at.receipts.get(receipt) ?? 0n
  at.receipts.set(receipt, amount > known ? amount : known)
}

/**
 * Records that the provider has reversed the receipt (money received from the payer), so that none of this
 * money is left.
 */
export function takeBack(at: Held, receipt: string): void {
  at.receipts.delete(receipt)
  for (const [id, refund] of at.refunds) if (refund.receipt === receipt) at.refunds.delete(id)
}

const rank = { pending: 0, succeeded: 1, failed: 2 }

type Returned = {
  kind: string
  id: string | null
  amount: bigint | null
  status: 'pending' | 'succeeded' | 'failed'
}

export function reportReturn(at: Held, told: Returned): void {
  const isListed = [...at.returns.keys()].some(key => key.startsWith(`${told.kind} `))
  if (told.id === null && isListed) return
  const name = told.id === null ? told.kind : `${told.kind} ${told.id}`
  if (told.id !== null && !isListed) becomeListed(at, name, told)
  const known = at.returns.get(name)
  if (!known) {
    at.returns.set(name, { amount: told.amount, status: told.status })
    return
  }
  // If the Owner dismissed a pending refund or chargeback and the provider later reports that it succeeded, it counts
  // as a new refund or chargeback.
  const isNews = known.dismissed === 'pending' && told.status === 'succeeded'
  if (known.dismissed !== undefined && !isNews) return
  const status = rank[told.status] > rank[known.status] ? told.status : known.status
  const amount = isNews ? (told.amount ?? known.amount) : amountAfter(known, told)
  at.returns.set(name, { amount, status })
}

/**
 * Returns the amount of a refund or chargeback after a further report. If the report has a more advanced status, its
 * amount applies. Reports with the same status may arrive in any order, so the largest of their amounts applies.
 */
function amountAfter(known: Pick<Returned, 'amount' | 'status'>, told: Returned): bigint | null {
  if (known.amount === null || told.amount === null) return known.amount ?? told.amount
  const isLarger = told.amount > known.amount
  const [before, after] = [rank[known.status], rank[told.status]]
  return after > before || (after === before && isLarger) ? told.amount : known.amount
}

/**
 * Adds the ID to a refund or chargeback that was first reported without an ID. The first later report with an ID is
 * about the same refund or chargeback. If the later report has another amount, a new record with the report's status
 * replaces the old one. The Owner decides on the amount in a record, so this amount must not change.
 */
function becomeListed(at: Held, name: string, { kind, amount, status }: Returned): void {
  const unlisted = at.returns.get(kind)
  if (!unlisted || unlisted.status === 'failed') return
  at.returns.delete(kind)
  const isNews = unlisted.dismissed === 'pending' && status === 'succeeded'
  const isOtherAmount =
    status !== 'failed' && amount !== null && unlisted.amount !== null && amount !== unlisted.amount
  at.returns.set(name, {
    ...unlisted,
    ...(isOtherAmount && { status }),
    amount: amount ?? unlisted.amount,
    // If the Owner dismissed a refund or chargeback before its ID was known, it stays dismissed when a report adds the
    // ID. The report then determines the status.
    ...(unlisted.dismissed !== undefined && !isNews && { status, dismissed: status }),
  })
}
