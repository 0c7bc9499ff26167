import { listPublicKeys } from '../auth/tokens/signing-key.sql.ts'
import type { KeyRing } from '../auth/tokens/token.ts'
import type { Db, Tx } from '../db/db.ts'
import type { Logger } from '../logging/log.ts'
import { findLastStatement, insertStatement, isStatementDue } from './ledger-statement.sql.ts'
import { signLedgerStatement, verifyLedgerStatement } from './ledger-statement.ts'
import { merkleRoot } from './merkle.ts'
import { listHeads, lockSealing, nextSealingRound } from './seal.sql.ts'
import { type Head, headBytes } from './seal.ts'

/**
 * The time between two signed ledger statements. Until the next statement is signed, an attacker with
 * database access can rewrite the entries posted since the last statement without being detected.
 */
export const STATEMENT_INTERVAL_SECONDS = 600
const PAGE = 5_000

type App = { db: Db; clock: () => Date; log: Logger; keyRing: () => Promise<KeyRing> }

/**
 * The outcome of a call. `locked` means that another process is signing or sealing, so it is unknown whether
 * a new statement must be signed.
 */
export type StatementOutcome =
  | { type: 'signed'; statement: string }
  | { type: 'not_due' }
  | { type: 'locked' }

/**
 * Signs a ledger statement (a hash over the last seals of all balances), at most once per `everySeconds`. The
 * statement is stored in the database and also logged, so that a copy exists elsewhere. Throws if seals covered by
 * the last statement were rewritten.
 */
export async function issueStatementIfDue(
  app: App,
  everySeconds = STATEMENT_INTERVAL_SECONDS,
): Promise<StatementOutcome> {
  const ring = await app.keyRing()
  const outcome = await app.db.transaction(async (tx): Promise<StatementOutcome> => {
    if (!(await lockSealing(tx))) return { type: 'locked' }
    if (!(await isStatementDue(tx, everySeconds))) return { type: 'not_due' }
    await assertNotRewritten(tx)
    const round = await nextSealingRound(tx)
    const root = await rootBefore(tx, round)
    const statement = await signLedgerStatement(ring, { round, root, statedAt: app.clock() })
    await insertStatement(tx, { round, root, statement })
    return { type: 'signed', statement }
  })
  if (outcome.type === 'signed') app.log.info({ statement: outcome.statement }, 'ledger statement signed')
  return outcome
}

/**
 * Signs a ledger statement (a signed hash over all balances) if one is due, and returns it. Returns undefined if no
 * statement is due, or if another process is signing a statement or sealing (hashing) entries.
 */
export async function issueLedgerStatement(app: App, everySeconds?: number): Promise<string | undefined> {
  const outcome = await issueStatementIfDue(app, everySeconds)
  return outcome.type === 'signed' ? outcome.statement : undefined
}

/**
 * Throws if the stored seals (hashes of ledger entries) no longer match the last signed statement, because
 * this means that the ledger was rewritten. A new signed statement would hide this change.
 */
async function assertNotRewritten(tx: Tx): Promise<void> {
  const last = await findLastStatement(tx)
  if (!last) return
  const { round, root, statedAt } = await verifyLedgerStatement(await listPublicKeys(tx), last.statement)
  if (!(await rootBefore(tx, round)).equals(root))
    throw new Error(
      `seals do not match the ledger statement of ${statedAt.toISOString()}, so no new statement is signed; run gapura-server verify-ledger`,
    )
}

async function rootBefore(tx: Tx, round: bigint): Promise<Buffer> {
  const tree = merkleRoot()
  for await (const head of headsBefore(tx, round)) tree.add(headBytes(head))
  return tree.root()
}

/**
 * Yields the head of each balance, which is its last seal (a hash of ledger entries) at the start of the sealing round.
 * The order of the heads is that of the leaves of the Merkle tree.
 */
export async function* headsBefore(db: Db, round: bigint): AsyncGenerator<Head> {
  for (let last: Head | undefined; ; ) {
    const heads = await listHeads(db, round, last, PAGE)
    yield* heads
    if (heads.length < PAGE) return
    last = heads.at(-1)
  }
}
