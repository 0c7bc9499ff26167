// Classifies the errors of statements. A statement that is wrong belongs to none of these classes.

/**
 * The SQLSTATE classes of a database that is unavailable, starting, stopping or full. A retry may succeed after these
 * errors.
 */
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
/** The SQLSTATEs of a lock timeout and of a canceled statement, for instance one that exceeded its timeout. */
const timeoutCodes = new Set([LOCK_TIMEOUT, '57014'])

export const DISK_FULL = '53100'

type ExhaustedResource = 'storage_full' | 'database_out_of_memory' | 'database_limit_reached'

/** The SQLSTATE of an exhausted resource → the fault that the caller gets. */
const exhaustedResources: Record<string, ExhaustedResource> = {
  [DISK_FULL]: 'storage_full',
  '53200': 'database_out_of_memory',
  '53400': 'database_limit_reached',
}

/** Returns the error's SQLSTATE or the code of a system error; an empty text if it has none. */
export function codeOf(error: unknown): string {
  const code = (error as { code?: unknown } | null | undefined)?.code
  return typeof code === 'string' ? code : ''
}

/** Returns whether a query failed because the database is unavailable, and not because the query is wrong. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (!(error instanceof Error) || isStatementTimeout(error)) return false
  const code = codeOf(error)
  if (code !== '')
    return (
      unavailableCodes.has(code) || (/^[0-9A-Z]{5}$/.test(code) && unavailableClasses.has(code.slice(0, 2)))
    )
  return (
    error.name === 'KnexTimeoutError' ||
    // Knex writes the statement in front of pg's error message.
    /(^| - )(Connection terminated|timeout expired|Query read timeout|Client has encountered a connection error)/.test(
      error.message,
    )
  )
}

/** Returns whether the error is that a statement waited or ran too long. Other statements may succeed. */
export const isStatementTimeout = (error: unknown): boolean => timeoutCodes.has(codeOf(error))

/**
 * Returns the fault for a database that responds but has run out of a resource; undefined for other errors. Statements
 * that need the resource fail until an operator acts or the load falls.
 */
export const exhaustedResource = (error: unknown): ExhaustedResource | undefined =>
  exhaustedResources[codeOf(error)]
