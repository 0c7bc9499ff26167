// What is known of a round from outside the product's code: what its API answered, what the providers have on record,
// what the receivers got, and what is in the database.

/** Of a create that was answered 200. isEcho: key and amount in the answer are those that were sent. */
export type AnsweredCreate = {
  tenantId: string
  key: string
  id: string
  code: string
  amount: bigint
  isEcho: boolean
}

/** reference: the payment code, or the code with a suffix such as `-2`. */
export type ProviderOrder = {
  provider: string
  reference: string
  status: string
  askedCents: bigint
  /** What the provider last recorded as paid. */
  recordedCents: bigint
  /** What it still holds: paid less returned. */
  heldCents: bigint
}

/** A callback as the provider sent it, and the status it was answered with; 0 for a connection that broke. */
export type SentCallback = { provider: string; reference: string; body: string; answeredStatus: number }

/** isGenuine: signed with the tenant's secret, and its body and header name the same event. */
export type Arrival = {
  tenantId: string
  eventId: string
  paymentId: string
  type: string
  isGenuine: boolean
}

export type PaymentRow = {
  tenantId: string
  id: string
  code: string
  key: string
  status: string
  amount: bigint
  amountPaid: bigint | null
}
export type TransitionRow = {
  tenantId: string
  paymentId: string
  number: number
  from: string | null
  to: string
}
export type EntryRow = {
  tenantId: string
  mode: string
  version: bigint
  paymentId: string
  type: string
  amount: bigint
  balanceAfter: bigint
}
export type BalanceRow = { tenantId: string; mode: string; balance: bigint; version: bigint }
export type EventRow = {
  tenantId: string
  id: string
  paymentId: string | null
  number: number
  type: string
  /** On record, of its delivery. */
  attempts: number
}
export type CallbackRow = { provider: string; body: string; status: string }
export type UnexpectedRow = {
  paymentId: string | null
  kind: string
  status: string
  credited: boolean
  amount: bigint | null
  reference: string
}

export type Kept = {
  payments: PaymentRow[]
  transitions: TransitionRow[]
  entries: EntryRow[]
  balances: BalanceRow[]
  events: EventRow[]
  callbacks: CallbackRow[]
  unexpected: UnexpectedRow[]
}

export type Evidence = Kept & {
  answered: AnsweredCreate[]
  /** Creates that were repeated until everything had recovered, and never answered 200 or refused for good. */
  unanswered: { tenantId: string; key: string }[]
  orders: ProviderOrder[]
  sent: SentCallback[]
  arrivals: Arrival[]
  /** Faults that can take the record of an attempt away after it was made. */
  interruptions: number
  /** Events that were sent once more because their merchant asked for it. */
  redelivered: Set<string>
}
