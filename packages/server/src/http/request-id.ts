import { newId } from '../values/id.ts'

/**
 * Returns the request ID that the caller sent, if it is safe to use in headers and logs. Otherwise, returns a
 * new request ID.
 */
export const requestIdOf = (given: string): string => (/^[\w.:-]{1,128}$/.test(given) ? given : newId())
