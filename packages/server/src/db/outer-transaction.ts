// Runs a whole request in one outer transaction. Each transaction started by the request's code becomes a savepoint
// in this outer transaction.

import { AsyncLocalStorage } from 'node:async_hooks'
import type { Tx } from './db.ts'

const storage = new AsyncLocalStorage<Tx>()

export const inOuterTransaction = <T>(tx: Tx, run: () => T): T => storage.run(tx, run)

export const outerTransaction = (): Tx | undefined => storage.getStore()
