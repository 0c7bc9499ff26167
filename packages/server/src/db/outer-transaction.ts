// Wraps a whole request in one transaction. The transactions of the actions in this request become savepoints.

import { AsyncLocalStorage } from 'node:async_hooks'
import type { Tx } from './db.ts'

const storage = new AsyncLocalStorage<Tx>()

export const inOuterTransaction = <T>(tx: Tx, run: () => T): T => storage.run(tx, run)

export const outerTransaction = (): Tx | undefined => storage.getStore()
