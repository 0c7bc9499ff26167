import { newId } from '../values/id.ts'

/** Returns the caller's request ID if it is safe in headers and logs. Otherwise, returns a new one. */
export const requestIdOf = (given: string): string => (/^[\w.:-]{1,128}$/.test(given) ? given : newId())
