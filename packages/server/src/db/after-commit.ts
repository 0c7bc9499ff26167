import type { Tx } from './db.ts'
import { outerTransaction } from './outer-transaction.ts'

/**
 * Calls `run` after the transaction commits. In a nested transaction, `run` is called after the outer transaction
 * commits. If the transaction rolls back or the commit fails, `run` is not called.
 */
export function afterCommit(tx: Tx, run: () => void): void {
  const outer = outerTransaction()
  tx.executionPromise.then(() => outer?.executionPromise).then(run, () => {})
}
