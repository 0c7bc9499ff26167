import pg from 'pg'
import { ConnectionUrlError, NOT_ENCODED, serversOfUrl } from './connection-url.ts'

/**
 * Throws ConnectionUrlError if the service cannot use a connection URL. Two possible reasons are that the URL cannot be
 * parsed, and that a certificate file in it cannot be read. Does not connect to the database.
 */
export function checkConnectionUrl(url: string): void {
  const connectionString = serversOfUrl(url)?.url ?? url
  try {
    new pg.Client({ connectionString })
  } catch (error) {
    throw new ConnectionUrlError(problemOf(error as NodeJS.ErrnoException, url))
  }
}

/**
 * Returns a one-line message for an error that node-postgres reports for a connection URL. The message
 * contains no password.
 */
function problemOf({ code, path, message, name }: NodeJS.ErrnoException, url: string): string {
  if (path !== undefined) {
    const parameters = [...new URLSearchParams(url.split('?')[1])]
    const [parameter = 'file'] = parameters.find(([, value]) => value === path) ?? []
    return `${parameter} ${path} cannot be read (${code}); correct the path or its permissions`
  }
  return code === 'ERR_INVALID_URL' || name === 'URIError' ? NOT_ENCODED : message
}
