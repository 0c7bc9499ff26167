import type { Tx } from './db.ts'
import { outerTransaction } from './outer-transaction.ts'

/**
 * Runs `run` after the transaction commits. In a nested transaction, it runs after the outer one commits. `run` is not
 * called if the transaction rolls back or the commit fails.
 */
export function afterCommit(tx: Tx, run: () => void): void {
  const outer = outerTransaction()
  tx.executionPromise.then(() => outer?.executionPromise).then(run, () => {})
}
