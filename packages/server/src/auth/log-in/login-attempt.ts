import type { Secrets } from '../../secrets/secrets.ts'

/**
 * Identifies the counters that a failed login increases: those of the account, the IP address ("source") and the
 * known device. The email address and the IP address are hashed, so that the stored counts do not reveal them.
 */
export type LoginAttempt = {
  /**
   * The hash of the email address. It is used instead of a user ID, because attempts are counted even for an
   * address that belongs to no user.
   */
  account: Buffer
  source: Buffer
  /**
   * The known device or session of the account from which the login attempt was made. It is undefined if the attempt
   * came from an unknown device and without a session.
   */
  known: string | undefined
}

/**
 * Returns the keys under which a login attempt is counted. `address` must be the email address in lower case,
 * because the database compares addresses in lower case.
 */
export const loginAttemptOf = (
  secrets: Secrets,
  { address, source, known }: { address: string; source: string; known?: string | undefined },
): LoginAttempt => ({ account: secrets.hash(address), source: secrets.hash(`source ${source}`), known })
