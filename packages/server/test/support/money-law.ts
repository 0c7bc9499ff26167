// Invariant of every payment: its ledger entries plus the records that wait for the Owner equal what the provider
// holds for it by its last report. Pure, so that both tests and a checker of a running service can use it.

/** The recorded money of one payment. */
export type Books = {
  entries: { entryType: 'credit' | 'debit'; amount: bigint }[]
  records: {
    kind: string
    status: string
    credited: boolean
    /** Null if the provider did not report it. */
    amount: bigint | null
  }[]
}

const sum = (amounts: bigint[]): bigint => amounts.reduce((total, amount) => total + amount, 0n)

export function recorded({ entries, records }: Books): bigint {
  const posted = entries.map(({ entryType, amount }) => (entryType === 'credit' ? amount : -amount))
  const waiting = records
    .filter(({ status, credited }) => status === 'open' && !credited)
    .map(({ kind, amount }) => (isReturn(kind) ? -(amount ?? 0n) : (amount ?? 0n)))
  return sum(posted) + sum(waiting)
}

const isReturn = (kind: string): boolean => kind === 'refund' || kind === 'chargeback'

/** The provider's reports on one payment, and the Owner's decisions on money outside the provider. */
export type Held = {
  /** The largest amount of each receipt since it was last reversed. */
  receipts: Map<string, bigint>
  /** Refunds and chargebacks by kind and id, or by kind alone until they have an id. The furthest status counts. */
  returns: Map<
    string,
    { amount: bigint | null; status: 'pending' | 'succeeded' | 'failed'; dismissed?: string }
  >
  /** Cents of credited money that the Owner refunded to the payer. */
  givenBack: bigint
  /** Cents of money that was never credited and was refunded, by receipt. A reversal of the receipt covers them. */
  givenBackUncredited: Map<string, bigint>
  /** Cents that the Owner credited and no provider has confirmed or contradicted. */
  unconfirmed: bigint
}

export const nothingHeld = (): Held => ({
  receipts: new Map(),
  returns: new Map(),
  givenBack: 0n,
  givenBackUncredited: new Map(),
  unconfirmed: 0n,
})

export function held({ receipts, returns, givenBack, givenBackUncredited, unconfirmed }: Held): bigint {
  const gone = [...returns.values()]
    .filter(({ status, dismissed }) => status !== 'failed' && dismissed === undefined)
    .map(({ amount }) => amount ?? 0n)
  return (
    sum([...receipts.values()]) - sum(gone) - givenBack - sum([...givenBackUncredited.values()]) + unconfirmed
  )
}

export function reportReceipt(at: Held, receipt: string, amount: bigint): void {
  const known = at.receipts.get(receipt) ?? 0n
  at.receipts.set(receipt, amount > known ? amount : known)
}

/** The provider reversed the entire receipt. */
export function takeBack(at: Held, receipt: string): void {
  at.receipts.delete(receipt)
  at.givenBackUncredited.delete(receipt)
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
  // A success counts if the Owner dismissed the return while it was pending.
  const isNews = known.dismissed === 'pending' && told.status === 'succeeded'
  if (known.dismissed !== undefined && !isNews) return
  const status = rank[told.status] > rank[known.status] ? told.status : known.status
  const amount = isNews ? (told.amount ?? known.amount) : (known.amount ?? told.amount)
  at.returns.set(name, { amount, status })
}

/** The first return listed with an id is the one reported without an id. The provider's amount takes precedence. */
function becomeListed(at: Held, name: string, { kind, amount, status }: Returned): void {
  const unlisted = at.returns.get(kind)
  if (!unlisted || unlisted.status === 'failed') return
  at.returns.delete(kind)
  const isNews = unlisted.dismissed === 'pending' && status === 'succeeded'
  at.returns.set(name, {
    ...unlisted,
    amount: amount ?? unlisted.amount,
    // The Owner's decision carries over to the listed return, with the listed status.
    ...(unlisted.dismissed !== undefined && !isNews && { status, dismissed: status }),
  })
}
