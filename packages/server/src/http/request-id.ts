import { newId } from '../values/id.ts'

/** Returns the caller's request id if it is safe in headers and logs; otherwise, returns a new request id. */
export const requestIdOf = (given: string): string => (/^[\w.:-]{1,128}$/.test(given) ? given : newId())
