import type { App } from '../app.ts'
import { sealRound, takeTurn } from './seal.sql.ts'

/** Of a balance, so that a seal that does not fit leads to so many entries at most. */
const ENTRIES_AT_ONCE = 1_000
/** With the entries of each, some ten megabytes and a second where all have as many as can be. */
const BALANCES_AT_ONCE = 200
/** What is left then waits for the next call; a ledger from before there were seals takes many. */
const ROUNDS_AT_ONCE = 50

/**
 * Seals what was posted since it was called last. Each round is a transaction of its own, and while another process has
 * its turn this one does nothing. False where there is what could not be sealed.
 */
export async function sealLedger(app: Pick<App, 'db' | 'log'>): Promise<boolean> {
  let isAll = true
  for (let count = 0; count < ROUNDS_AT_ONCE; count++) {
    const round = await app.db.transaction(async tx =>
      (await takeTurn(tx))
        ? await sealRound(tx, { balances: BALANCES_AT_ONCE, entries: ENTRIES_AT_ONCE })
        : undefined,
    )
    if (!round) break
    if (round.sealed < round.due) {
      app.log.error(
        { balances: round.due - round.sealed },
        'balances that are not sealed, since entries are missing: run gapura-server verify-ledger',
      )
      isAll = false
    }
    if (!round.more || round.sealed === 0) break
  }
  return isAll
}
