import type { App } from '../app.ts'
import type { Db } from '../db/db.ts'
import { merkleRoot } from './merkle.ts'
import { listHeads, nextRound, takeTurn } from './seal.sql.ts'
import { type Head, headBytes } from './seal.ts'
import { insertStatement, isStatementDue } from './statement.sql.ts'
import { signStatement } from './statement.ts'

/** What is posted after it, until the next, can be rewritten without a contradiction. */
export const STATED_EVERY_SECONDS = 600
const PAGE = 5_000

/**
 * Signs a statement about all balances where the last is older than that, keeps it, and writes it to the log, which leaves
 * the machine. Like sealing, one process does it at a time. Undefined: it is not due, or another process's turn.
 */
export async function stateLedger(
  app: Pick<App, 'db' | 'clock' | 'log' | 'keyRing'>,
  everySeconds = STATED_EVERY_SECONDS,
): Promise<string | undefined> {
  const ring = await app.keyRing()
  const statement = await app.db.transaction(async tx => {
    if (!(await takeTurn(tx)) || !(await isStatementDue(tx, everySeconds))) return
    const round = await nextRound(tx)
    const tree = merkleRoot()
    for await (const head of headsBefore(tx, round)) tree.add(headBytes(head))
    const root = tree.root()
    const statement = await signStatement(ring, { round, root, statedAt: app.clock() })
    await insertStatement(tx, { round, root, statement })
    return statement
  })
  if (statement !== undefined) app.log.info({ statement }, 'ledger statement')
  return statement
}

/** In the order in which they are in the tree. */
export async function* headsBefore(db: Db, round: bigint): AsyncGenerator<Head> {
  for (let last: Head | undefined; ; ) {
    const heads = await listHeads(db, round, last, PAGE)
    yield* heads
    if (heads.length < PAGE) return
    last = heads.at(-1)
  }
}
