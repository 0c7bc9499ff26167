import type { Db } from '../db/db.ts'
import { paced } from '../db/paced.ts'
import type { Logger } from '../logging/log.ts'
import { storeLedgerDifferences } from './ledger-difference.sql.ts'
import { type BalanceKey, lockSealing, type SealLimits, sealRound } from './seal.sql.ts'
import { findBrokenEntries } from './verify-new-entries.sql.ts'

/**
 * The maximum number of entries per seal. If a seal's hash does not match, an auditor has to search at most
 * this many entries for the change.
 */
const ENTRIES_PER_SEAL = 1_000
/** The maximum number of balances whose new entries are sealed (hashed) in one sealing round. */
const BALANCES_AT_ONCE = 200
/**
 * The approximate maximum number of entries that one round seals (hashes). After an interruption, all these entries may
 * have to be read from disk. On a slow disk, a round with 200,000 entries exceeded the statement timeout.
 */
const ENTRIES_AT_ONCE = 10_000
/**
 * The maximum number of sealing rounds per call. Each round seals (hashes) a limited number of new ledger entries. If a
 * large ledger needs more rounds, the next call continues.
 */
const ROUNDS_AT_ONCE = 50

const defaultLimits = {
  balances: BALANCES_AT_ONCE,
  entriesPerSeal: ENTRIES_PER_SEAL,
  entries: ENTRIES_AT_ONCE,
  rounds: ROUNDS_AT_ONCE,
}

/**
 * The last balance of the previous sealing round, which seals (hashes) new ledger entries. The next round
 * continues after this balance, or begins with the first balance if it is undefined.
 */
export type SealingPosition = { after: BalanceKey | undefined }

/**
 * The outcome of a call.
 *
 * - complete: no ledger entry is left without a seal.
 * - incomplete: the call ended before it reached the last balance, so entries may be left.
 * - locked: another process was sealing.
 * - unsealable: a balance could not be sealed, because some of its entries are missing.
 */
type SealingOutcome = 'complete' | 'incomplete' | 'locked' | 'unsealable'

/**
 * Seals (hashes) and verifies the ledger entries posted since the last call. Entries that break a rule are sealed too,
 * to preserve the evidence. Does nothing while another process is sealing.
 *
 * A call consists of several rounds. Each round is one transaction, followed by a pause. If `stop` aborts, no further
 * round starts.
 *
 * Each round continues after the last balance of the previous round, and `position` stores this balance for the next
 * call. Each balance therefore gets its turn, even if new entries arrive faster than one call can seal them.
 */
export async function sealLedger(
  app: { db: Db; log: Logger },
  stop: AbortSignal = new AbortController().signal,
  position: SealingPosition = { after: undefined },
  limits: SealLimits & { rounds: number } = defaultLimits,
): Promise<SealingOutcome> {
  let hasUnsealable = false
  // The call is complete if its rounds start at the first balance, reach the last one, and leave no entry unsealed.
  let isComplete = position.after === undefined
  for (let count = 0; count < limits.rounds && !stop.aborted; count++) {
    const round = await paced(stop, () => sealOnce(app.db, limits, position.after))
    if (!round) return 'locked'
    position.after = round.last
    if (round.broken.length > 0)
      app.log.error(
        { differences: round.broken.slice(0, 10) },
        'ledger entries that break a rule were sealed',
      )
    if (round.sealed.length < round.due) {
      app.log.error(
        { balances: round.due - round.sealed.length },
        'balances could not be sealed (hashed), because some of their ledger entries are missing; run gapura-server verify-ledger',
      )
      hasUnsealable = true
    }
    if (round.isPartial) isComplete = false
    if (round.last) continue
    if (isComplete) return hasUnsealable ? 'unsealable' : 'complete'
    isComplete = true
  }
  return 'incomplete'
}

/**
 * Seals (hashes) the new entries of some balances in one transaction. Returns undefined while another process
 * is sealing.
 */
const sealOnce = (db: Db, limits: SealLimits, after: BalanceKey | undefined) =>
  db.transaction(async tx => {
    if (!(await lockSealing(tx))) return
    const sealed = await sealRound(tx, limits, after)
    const broken = await findBrokenEntries(tx, sealed.sealed)
    await storeLedgerDifferences(tx, broken)
    return { ...sealed, broken }
  })
