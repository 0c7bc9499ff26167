// For how many days what is no money is kept; undefined: for ever. Payments, their timelines, the ledger with its seals,
// what waits for the Owner, settlements and the audit log have no place here.

export type Retention = {
  /** What providers sent, whether or not it was theirs. */
  callbackDays: number | undefined
  /** How webhooks went. */
  attemptDays: number | undefined
  /** What webhooks said, once it was delivered. */
  eventDays: number | undefined
  /** After the end of a session, a password reset, or a job that was given up. */
  sessionDays: number
}

/** What proves something is kept until the operator says otherwise. */
export const keptByDefault: Retention = {
  callbackDays: undefined,
  attemptDays: undefined,
  eventDays: undefined,
  sessionDays: 30,
}
const DAY_MS = 86_400_000

export const daysBefore = (at: Date, days: number): Date => new Date(at.getTime() - days * DAY_MS)
