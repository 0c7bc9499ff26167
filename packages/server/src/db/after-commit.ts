import type { Tx } from './db.ts'

/** Not where the transaction is rolled back, or its commit fails. */
export function afterCommit(tx: Tx, run: () => void): void {
  tx.executionPromise.then(run, () => {})
}
