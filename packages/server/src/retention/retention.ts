// The retention periods, in days, for data that is not about money. If a period is undefined, the data is stored
// forever. Payments, their timelines, the ledger and its seals, items waiting for the Owner's decision, settlements
// and the audit log are always stored forever.

export type Retention = {
  /** How long provider callbacks are stored, including rejected ones. */
  callbackDays: number | undefined
  /** How long webhook delivery attempts are stored. */
  attemptDays: number | undefined
  /** How long webhook events are stored after they were delivered. */
  eventDays: number | undefined
  /** How long the log of requests made with API keys is stored. */
  requestDays: number
  /**
   * How long sessions and password resets are stored after they end, and how long jobs are stored after they
   * fail.
   */
  sessionDays: number
  /** How long a payer's name, email address, phone number and IP address are stored. */
  customerDays: number | undefined
}

/**
 * The default retention periods, in days. Data that may be needed as evidence is stored forever unless the operator
 * sets a period.
 */
export const defaultRetention: Retention = {
  callbackDays: undefined,
  attemptDays: undefined,
  eventDays: undefined,
  requestDays: 90,
  sessionDays: 30,
  customerDays: undefined,
}
const DAY_MS = 86_400_000

export const subtractDays = (at: Date, days: number): Date => new Date(at.getTime() - days * DAY_MS)
