import type { Tx } from './db.ts'
import { outerTransaction } from './outer-transaction.ts'

/**
 * Calls `run` after the transaction commits. A nested transaction commits together with the outer
 * transaction. If the transaction is rolled back or the commit fails, `run` is not called.
 */
export function afterCommit(tx: Tx, run: () => void): void {
  const outer = outerTransaction()
  tx.executionPromise.then(() => outer?.executionPromise).then(run, () => {})
}
