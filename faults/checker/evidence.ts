// The evidence of a fault-injection round: what the database, the providers, the merchants and the webhook
// receivers have recorded. It is collected without the service's code.

/**
 * A create request that returned 200. The field `isEcho` is true if the response repeats the request's
 * idempotency key and amount.
 */
export type AnsweredCreate = {
  tenantId: string
  key: string
  id: string
  code: string
  amount: bigint
  isEcho: boolean
}

/** A merchant's refund request that the service answered with 200. */
export type AnsweredRefund = { tenantId: string; key: string; id: string; paymentId: string; amount: bigint }

/**
 * A refund or chargeback in a provider's records. `key` is the reference that the service sent with its refund
 * request, or null if the service did not request the refund or chargeback.
 */
export type ProviderReturn = { kind: string; key: string | null; cents: bigint; status: string }

/** A provider's record of a payment. `reference` is the payment code, optionally with a suffix such as `-2`. */
export type ProviderOrder = {
  provider: string
  reference: string
  status: string
  askedCents: bigint
  /** The amount the provider last recorded as paid. */
  recordedCents: bigint
  /** The amount the provider still holds: the paid amount minus the returned amount. */
  heldCents: bigint
  /**
   * The payer's fee, if the provider does not document whether the reported amount includes this fee. Otherwise 0.
   */
  payerFeeCents: bigint
  /** False if, according to the provider's documentation, an order's status lists no refunds. Otherwise true. */
  listsRefunds: boolean
  returns: ProviderReturn[]
}

/**
 * A callback as sent by the provider. `answeredStatus` is the HTTP status of the response, or 0 if the connection
 * broke.
 */
export type SentCallback = { provider: string; reference: string; body: string; answeredStatus: number }

/**
 * A webhook received by a merchant. `isGenuine` is true if the signature is valid for the tenant's secret, and the
 * body and the header name the same event.
 */
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
  /** The refund to which the ledger entry belongs. */
  refundId: string | null
  type: string
  amount: bigint
  balanceAfter: bigint
}
export type RefundRow = {
  tenantId: string
  id: string
  paymentId: string
  key: string | null
  reference: string
  provider: string
  amount: bigint
  status: string
  method: string
  origin: string
  /** False if it is certain that the service has not sent the refund request to the provider. */
  isRequested: boolean
}
export type BalanceRow = { tenantId: string; mode: string; balance: bigint; version: bigint }
export type EventRow = {
  tenantId: string
  id: string
  paymentId: string | null
  number: number
  type: string
  /** The number of delivery attempts recorded for the event. */
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
  refunds: RefundRow[]
  balances: BalanceRow[]
  events: EventRow[]
  callbacks: CallbackRow[]
  unexpected: UnexpectedRow[]
}

export type Evidence = Kept & {
  answered: AnsweredCreate[]
  /**
   * Create requests that got neither 200 nor a final error, although they were retried until the service had
   * recovered.
   */
  unanswered: { tenantId: string; key: string }[]
  /** The merchants' refund requests that the service answered with 200. */
  answeredRefunds: AnsweredRefund[]
  orders: ProviderOrder[]
  sent: SentCallback[]
  arrivals: Arrival[]
  /**
   * The number of injected faults that can prevent the service from recording a delivery attempt after making
   * it.
   */
  interruptions: number
  /** The IDs of events that were redelivered at the merchant's request. */
  redelivered: Set<string>
}
