// Classifies database errors that are not caused by a bug in the statement, such as an unavailable database
// or a timeout.

/** The SQLSTATE of a write that fails because the server is a standby or read-only. */
export const READ_ONLY = '25006'

/** The SQLSTATE classes for a database that is unavailable, starting, stopping or full. A later retry may succeed. */
const unavailableClasses = new Set(['08', '53', '57'])
const unavailableCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ETIMEDOUT',
  'EPIPE',
  // A write fails with the code READ_ONLY if the database server is no longer the primary. The database
  // client then closes the connection, and the next connection finds the new primary
  // (primary/database-client.ts).
  READ_ONLY,
])

export const LOCK_TIMEOUT = '55P03'
/**
 * The SQLSTATEs of errors after which a repeated statement may succeed: a lock timeout, a canceled statement (for
 * example, after its timeout), a deadlock, and a serialization failure. Citus returns a serialization failure if it has
 * split a shard since the statement started.
 */
const abortCodes = new Set([LOCK_TIMEOUT, '57014', '40P01', '40001'])

export const DISK_FULL = '53100'

type ExhaustedResource = 'storage_full' | 'database_out_of_memory' | 'database_limit_reached'

/** Maps the SQLSTATE for an exhausted resource to the fault that the service returns to its caller. */
const exhaustedResources: Record<string, ExhaustedResource> = {
  [DISK_FULL]: 'storage_full',
  '53200': 'database_out_of_memory',
  '53400': 'database_limit_reached',
}

/** The SQLSTATEs for errors about a damaged table or index page, with a wrong checksum or wrong content. */
const damageCodes = new Set(['XX001', 'XX002'])

/** Returns the error's SQLSTATE or system error code, or an empty string. */
export function codeOf(error: unknown): string {
  const code = (error as { code?: unknown } | null | undefined)?.code
  return typeof code === 'string' ? code : ''
}

/** Returns the name of the constraint violated by the statement, or an empty string. */
export function constraintOf(error: unknown): string {
  const name = (error as { constraint?: unknown } | null | undefined)?.constraint
  return typeof name === 'string' ? name : ''
}

/** Returns whether the error shows that the database is unavailable. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (!(error instanceof Error) || isStatementAborted(error)) return false
  const code = codeOf(error)
  if (code !== '')
    return (
      unavailableCodes.has(code) || (/^[0-9A-Z]{5}$/.test(code) && unavailableClasses.has(code.slice(0, 2)))
    )
  return (
    error.name === 'KnexTimeoutError' ||
    // Knex puts the SQL statement in front of pg's error message, so the regular expression allows text and
    // ` - ` before the message.
    /(^| - )(Connection terminated|timeout expired|Query read timeout|Client has encountered a connection error)/.test(
      error.message,
    )
  )
}

/**
 * Returns whether the database aborted the statement because of a timeout or a conflict. In this case, other statements
 * may still succeed.
 */
export const isStatementAborted = (error: unknown): boolean =>
  abortCodes.has(codeOf(error)) ||
  // Citus reports this internal error for a statement that reads a shard while the shard is being split.
  (error instanceof Error && error.message.includes('could not find valid entry for shard'))

/**
 * Returns whether the error is caused by a damaged table or index page. Such an error does not affect statements that
 * read other pages, so these statements still succeed.
 */
export const isDataDamaged = (error: unknown): boolean => damageCodes.has(codeOf(error))

/**
 * Returns the fault that the service returns to its caller if the database has run out of a resource, and
 * undefined otherwise. Until the load falls or an operator intervenes, all statements that need this resource
 * fail.
 */
export const exhaustedResource = (error: unknown): ExhaustedResource | undefined =>
  exhaustedResources[codeOf(error)]
