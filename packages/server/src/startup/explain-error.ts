import { ConfigError } from '../config.ts'
import { isDatabaseUnavailable } from '../db/database-errors.ts'
import { EmbeddedError } from '../db/embedded/embedded-error.ts'
import { MigrationError } from '../db/migrate/migration-error.ts'
import { WrongMasterKeyError } from '../secrets/secrets.ts'

const expectedErrors = [ConfigError, EmbeddedError, MigrationError, WrongMasterKeyError]

/**
 * Returns the text for an error: one line if the operator can fix it, the full stack trace if it is a bug of the
 * service.
 */
export function explainError(error: unknown): string {
  if (expectedErrors.some(kind => error instanceof kind)) return (error as Error).message
  const { code, address, port, message, stack } = error as NodeJS.ErrnoException & {
    address?: string
    port?: number
  }
  if (code === 'EADDRINUSE')
    return `${address}:${port} is already in use; stop the process that uses it, or set PORT`
  if (code === 'ECONNREFUSED' || code === 'ENOTFOUND')
    return `cannot connect to the database (${message}); check DATABASE_URL`
  if (isDatabaseUnavailable(error))
    return `the database is unavailable (${reasonOf(message)}); check that PostgreSQL is running and accepts connections, then start again`
  return /provider sandbox/.test(message) ? message : (stack ?? message)
}

/** Returns pg's message without the SQL statement that Knex writes in front of it. */
const reasonOf = (message: string): string => message.split('\n').at(-1)?.split(' - ').at(-1) ?? message
