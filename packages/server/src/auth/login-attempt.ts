import type { Secrets } from '../secrets.ts'

/**
 * The keys under which an attempt is counted. Hashes have a fixed length and do not reveal addresses to readers of
 * the table.
 */
export type Attempt = {
  /** Hash of the e-mail address, whether or not it belongs to a user. */
  account: Buffer
  source: Buffer
  /** A device or session that belongs to the account. */
  known: string | undefined
}

/** address: as the database compares it. */
export const attemptOf = (
  secrets: Secrets,
  { address, source, known }: { address: string; source: string; known?: string | undefined },
): Attempt => ({ account: secrets.hash(address), source: secrets.hash(`source ${source}`), known })
