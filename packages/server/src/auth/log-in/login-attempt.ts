import type { Secrets } from '../../secrets/secrets.ts'

/**
 * Identifies what a failed login counts against: the account, the IP address ("source") and the known device.
 * Hashes hide the email and IP addresses in the database.
 */
export type LoginAttempt = {
  /** The hash of the email address. Attempts are also counted for an address that belongs to no user. */
  account: Buffer
  source: Buffer
  /**
   * The account's known device or session that sent the attempt; undefined for an attempt from an unknown
   * device without a session.
   */
  known: string | undefined
}

/**
 * Returns the keys under which a login attempt is counted. `address` is the email address in lower case, as
 * the database compares it.
 */
export const loginAttemptOf = (
  secrets: Secrets,
  { address, source, known }: { address: string; source: string; known?: string | undefined },
): LoginAttempt => ({ account: secrets.hash(address), source: secrets.hash(`source ${source}`), known })
