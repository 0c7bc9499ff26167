import type { Tx } from './db.ts'
import { outerTransaction } from './outer-transaction.ts'

/**
 * Runs `run` after the transaction commits, and the transaction around it if there is one. `run` is never called if the transaction rolls back or its commit fails.
 */
export function afterCommit(tx: Tx, run: () => void): void {
  const outer = outerTransaction()
  tx.executionPromise.then(() => outer?.executionPromise).then(run, () => {})
}
