import type { Secrets } from '../secrets.ts'

/** What an attempt is counted by. Hashes are of one length, and name nobody to those who read the table. */
export type Attempt = {
  /** Of an address, whether or not a user has it. */
  account: Buffer
  source: Buffer
  /** A device or a session that belongs to the account. */
  known: string | undefined
}

/** address: as the database compares it. */
export const attemptOf = (
  secrets: Secrets,
  { address, source, known }: { address: string; source: string; known?: string | undefined },
): Attempt => ({ account: secrets.hash(address), source: secrets.hash(`source ${source}`), known })
