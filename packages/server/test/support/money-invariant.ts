// Checks an invariant of every payment: its ledger entries and open records of unexpected money together equal the
// money that the provider last reported. A record is open until the Owner decides on its money. The functions do no
// I/O, so both tests and a checker for a running service can use them.

/** One payment's money as Gapura has recorded it: ledger entries and records of unexpected money. */
export type Books = {
  entries: { entryType: 'credit' | 'debit'; amount: bigint }[]
  records: {
    kind: string
    status: string
    credited: boolean
    /** The amount in the record; null if the provider did not report one. */
    amount: bigint | null
  }[]
}

const sum = (amounts: bigint[]): bigint => amounts.reduce((total, amount) => total + amount, 0n)

export function recorded({ entries, records }: Books): bigint {
  const posted = entries.map(({ entryType, amount }) => (entryType === 'credit' ? amount : -amount))
  const waiting = records
    // The provider has not confirmed the money of an `unconfirmed` record, so it may not hold it.
    .filter(({ kind, status, credited }) => status === 'open' && !credited && kind !== 'unconfirmed')
    .map(({ kind, amount }) => (isReturn(kind) ? -(amount ?? 0n) : (amount ?? 0n)))
  return sum(posted) + sum(waiting)
}

const isReturn = (kind: string): boolean => kind === 'refund' || kind === 'chargeback'

/**
 * One payment's money according to the provider's reports. The Owner's decisions also change it: refunds, and
 * credits without the provider's confirmation.
 */
export type Held = {
  /**
   * Maps the id of each receipt (an amount received from the payer) to the largest reported amount. Reports from
   * before the receipt's last reversal do not count.
   */
  receipts: Map<string, bigint>
  /**
   * The reported refunds and chargebacks. The key is the kind and the id, or only the kind while the id is unknown.
   * The status is the most advanced status reported.
   */
  returns: Map<
    string,
    { amount: bigint | null; status: 'pending' | 'succeeded' | 'failed'; dismissed?: string }
  >
  /**
   * The Owner's refunds of received money by id, except failed ones. `receipt` is null if the refunded money was
   * credited. Otherwise, it is the money's receipt, whose later reversal includes the refunded amount.
   */
  refunds: Map<string, { amount: bigint; receipt: string | null }>
  /**
   * The amount, in cents, of a challenged payment (held by the provider for review) that the Owner credited without
   * the provider's confirmation. Zero once the provider has confirmed or contradicted the credit.
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
 * Records that the provider has reversed the receipt (money received from the payer), so that none of the
 * receipt's money is left.
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
  // If the Owner dismissed a refund or chargeback while it was pending and it later succeeds, it counts as a new one.
  const isNews = known.dismissed === 'pending' && told.status === 'succeeded'
  if (known.dismissed !== undefined && !isNews) return
  const status = rank[told.status] > rank[known.status] ? told.status : known.status
  const amount = isNews ? (told.amount ?? known.amount) : amountAfter(known, told)
  at.returns.set(name, { amount, status })
}

/**
 * Returns the amount after a report. A later status also sets the amount. Among reports with the same status, which
 * may arrive in any order, the largest amount applies.
 */
function amountAfter(known: Pick<Returned, 'amount' | 'status'>, told: Returned): bigint | null {
  if (known.amount === null || told.amount === null) return known.amount ?? told.amount
  const isLarger = told.amount > known.amount
  const [before, after] = [rank[known.status], rank[told.status]]
  return after > before || (after === before && isLarger) ? told.amount : known.amount
}

/**
 * Gives an ID to a refund or chargeback that was reported without one. The first report with an ID counts as the same
 * refund or chargeback. If its amount is different, a new record with its status replaces the old record, because the
 * Owner decides on the amount shown in a record.
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
    // If the Owner dismissed a refund or chargeback without an ID, the one with an ID also counts as dismissed, in the
    // status now reported.
    ...(unlisted.dismissed !== undefined && !isNews && { status, dismissed: status }),
  })
}
