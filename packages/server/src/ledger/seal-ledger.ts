import type { App } from '../app.ts'
import { keepDifferences } from './difference.sql.ts'
import { sealRound, takeTurn } from './seal.sql.ts'
import { findBrokenEntries } from './verify-posted.sql.ts'

/** Of a balance, so that a seal that does not fit leads to so many entries at most. */
const ENTRIES_AT_ONCE = 1_000
/** With the entries of each, some ten megabytes and a second where all have as many as can be. */
const BALANCES_AT_ONCE = 200
/** What is left then waits for the next call; a ledger from before there were seals takes many. */
const ROUNDS_AT_ONCE = 50

/**
 * Seals what was posted since it was called last, and verifies it: each entry is looked at once more within seconds of its
 * posting. One that breaks a rule is sealed all the same, as evidence. Each round is a transaction of its own, and while
 * another process has its turn this one does nothing. False where there is what could not be sealed.
 */
export async function sealLedger(app: Pick<App, 'db' | 'log'>): Promise<boolean> {
  let isAll = true
  for (let count = 0; count < ROUNDS_AT_ONCE; count++) {
    const round = await app.db.transaction(async tx => {
      if (!(await takeTurn(tx))) return
      const sealed = await sealRound(tx, { balances: BALANCES_AT_ONCE, entries: ENTRIES_AT_ONCE })
      const broken = await findBrokenEntries(tx, sealed.sealed)
      await keepDifferences(tx, broken)
      return { ...sealed, broken }
    })
    if (!round) break
    if (round.broken.length > 0)
      app.log.error({ differences: round.broken.slice(0, 10) }, 'the ledger contradicts itself')
    if (round.sealed.length < round.due) {
      app.log.error(
        { balances: round.due - round.sealed.length },
        'balances that are not sealed, since entries are missing: run gapura-server verify-ledger',
      )
      isAll = false
    }
    if (!round.more || round.sealed.length === 0) break
  }
  return isAll
}
