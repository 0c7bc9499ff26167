import type { Tx } from './db.ts'

/**
 * Runs `run` after the transaction commits. `run` is never called if the transaction rolls back or its commit fails.
 */
export function afterCommit(tx: Tx, run: () => void): void {
  tx.executionPromise.then(run, () => {})
}
