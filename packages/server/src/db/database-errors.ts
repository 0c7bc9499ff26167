// Classifies the database errors that a correct statement can get, such as an unavailable database or a timeout.

/** The SQLSTATE classes of a database that is unavailable, starting, stopping or full. A retry may succeed later. */
const unavailableClasses = new Set(['08', '53', '57'])
const unavailableCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ETIMEDOUT',
  'EPIPE',
])

export const LOCK_TIMEOUT = '55P03'
/** The SQLSTATEs of a lock timeout and of a canceled statement, for example one that exceeded its timeout. */
const timeoutCodes = new Set([LOCK_TIMEOUT, '57014'])

export const DISK_FULL = '53100'

type ExhaustedResource = 'storage_full' | 'database_out_of_memory' | 'database_limit_reached'

/** Maps the SQLSTATE of an exhausted resource to the fault that the caller gets. */
const exhaustedResources: Record<string, ExhaustedResource> = {
  [DISK_FULL]: 'storage_full',
  '53200': 'database_out_of_memory',
  '53400': 'database_limit_reached',
}

/** Returns the error's SQLSTATE or system error code, or an empty string. */
export function codeOf(error: unknown): string {
  const code = (error as { code?: unknown } | null | undefined)?.code
  return typeof code === 'string' ? code : ''
}

/** Returns whether a query failed because the database is unavailable. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (!(error instanceof Error) || isStatementTimeout(error)) return false
  const code = codeOf(error)
  if (code !== '')
    return (
      unavailableCodes.has(code) || (/^[0-9A-Z]{5}$/.test(code) && unavailableClasses.has(code.slice(0, 2)))
    )
  return (
    error.name === 'KnexTimeoutError' ||
    // Knex prefixes pg's error message with the SQL statement.
    /(^| - )(Connection terminated|timeout expired|Query read timeout|Client has encountered a connection error)/.test(
      error.message,
    )
  )
}

/** Returns whether a statement waited or ran too long. Other statements may succeed. */
export const isStatementTimeout = (error: unknown): boolean => timeoutCodes.has(codeOf(error))

/**
 * Returns the fault for a database that has run out of a resource, or undefined. Statements that need the resource fail
 * until the load falls or an operator acts.
 */
export const exhaustedResource = (error: unknown): ExhaustedResource | undefined =>
  exhaustedResources[codeOf(error)]
