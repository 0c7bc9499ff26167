// The retention periods, in days, of data that is not about money. Undefined means that the data is stored forever.
// Payments, their timelines, the ledger and its seals, the Owner's open items, settlements and the audit log are always
// stored.

export type Retention = {
  /** Callbacks received from providers, including rejected ones. */
  callbackDays: number | undefined
  /** Delivery attempts of webhooks. */
  attemptDays: number | undefined
  /** Webhook events that were delivered. */
  eventDays: number | undefined
  /** The log of requests with API keys. */
  requestDays: number
  /** Ended sessions, password resets and failed jobs. The period starts when they end. */
  sessionDays: number
}

/** The default periods. Data that may serve as evidence is stored forever unless the operator sets a period. */
export const defaultRetention: Retention = {
  callbackDays: undefined,
  attemptDays: undefined,
  eventDays: undefined,
  requestDays: 90,
  sessionDays: 30,
}
const DAY_MS = 86_400_000

export const subtractDays = (at: Date, days: number): Date => new Date(at.getTime() - days * DAY_MS)
