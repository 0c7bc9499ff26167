import type { Tx } from './db.ts'
import { outerTransaction } from './outer-transaction.ts'

/**
 * Calls `run` after the transaction commits. For a nested transaction, this is the commit of the outer
 * transaction. If the transaction rolls back or the commit fails, `run` is not called.
 */
export function afterCommit(tx: Tx, run: () => void): void {
  const outer = outerTransaction()
  tx.executionPromise.then(() => outer?.executionPromise).then(run, () => {})
}
