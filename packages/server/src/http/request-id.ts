import crypto from 'node:crypto'
import { newId } from '../values/id.ts'

/**
 * Returns a new request id. Node's function is ten times as fast as `newId`, which is used only in Node 22, where
 * Node's function is missing.
 */
export const newRequestId: () => string = crypto.randomUUIDv7 ?? newId

/** Returns the caller's request id if it is safe in headers and logs; otherwise, returns a new request id. */
export const requestIdOf = (given: string): string =>
  /^[\w.:-]{1,128}$/.test(given) ? given : newRequestId()
