import { ConfigError } from '../config.ts'
import { isDatabaseUnavailable } from '../db/database-errors.ts'
import { DistributionError } from '../db/distribute/distribution-plan.ts'
import { EmbeddedError } from '../db/embedded/embedded-error.ts'
import { MigrationError } from '../db/migrate/migration-error.ts'
import { urlVariableOf } from '../db/url-variable.ts'
import { WrongMasterKeyError } from '../secrets/secrets.ts'
import { ListenError } from './listen-error.ts'

const expectedErrors = [
  ConfigError,
  DistributionError,
  EmbeddedError,
  ListenError,
  MigrationError,
  WrongMasterKeyError,
]

/** The SQLSTATEs for a rejected login (class 28) and a missing database (class 3D). */
const REJECTED = /^(28|3D)[0-9A-Z]{3}$/

/**
 * Matches errors that pg and TLS report before PostgreSQL accepts the connection. These errors can be recognized only
 * by their messages, because they do not name a failed system call.
 */
const HANDSHAKE = /does not support SSL|SASL|certificate|Host: .* is not in the cert|wrong version number/i

/**
 * Returns the text that a command or the service prints for an error: one line if the operator can fix the cause,
 * or the full stack trace if it is a bug in the service.
 */
export function explainError(error: unknown): string {
  if (expectedErrors.some(kind => error instanceof kind)) return (error as Error).message
  const { code = '', message, stack } = error as NodeJS.ErrnoException
  const connecting = connectErrorOf(error)
  if (connecting !== undefined)
    return `cannot connect to the database (${connecting}); check ${urlVariableOf(error)}`
  if (REJECTED.test(code))
    return `PostgreSQL rejected the connection (${reasonOf(message)}); check ${urlVariableOf(error)}, or create the database and its roles`
  if (isDatabaseUnavailable(error))
    return `the database is unavailable (${reasonOf(message)}); check that PostgreSQL is running and accepts connections, then start again`
  return /provider sandbox/.test(message) ? message : (stack ?? message)
}

/** Returns pg's message without the SQL statement Knex puts in front of it. */
const reasonOf = (message: string): string => message.split('\n').at(-1)?.split(' - ').at(-1) ?? message

/** Returns the reason if no database connection could be opened, and undefined if the error has another cause. */
function connectErrorOf(error: unknown): string | undefined {
  // If a host name has several addresses, the connection error contains one error for each address. The outer error has
  // no message, so the message of the first inner error is used.
  const { message, syscall } = (
    error instanceof AggregateError ? (error.errors[0] ?? error) : error
  ) as NodeJS.ErrnoException
  if (syscall === 'connect' || syscall === 'getaddrinfo' || HANDSHAKE.test(message)) return reasonOf(message)
  return undefined
}
