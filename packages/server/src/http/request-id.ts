import crypto from 'node:crypto'
import { newId } from '../values/id.ts'

/** Returns a new request id. Node's own function is ten times as fast as `newId`, but is missing in Node 22. */
export const newRequestId: () => string = crypto.randomUUIDv7 ?? newId

/** Returns the caller's request id if it is safe in headers and logs; otherwise, returns a new request id. */
export const requestIdOf = (given: string): string =>
  /^[\w.:-]{1,128}$/.test(given) ? given : newRequestId()
