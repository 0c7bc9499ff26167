// Explains why the service cannot listen on a port. The message names the environment variables that set the address.

/**
 * Thrown when the service cannot listen on its configured address. The message is one line that explains the problem to
 * the operator.
 */
export class ListenError extends Error {
  override name = 'ListenError'
}

type Variables = { port: string; host: string }

/**
 * Returns an error handler for a server that cannot listen. The handler throws a `ListenError` if the configured
 * address or port is the cause, and otherwise the original error.
 */
export const namingVariables =
  (variables: Variables) =>
  (error: unknown): never => {
    const { code, address, port } = error as NodeJS.ErrnoException & { address?: string; port?: number }
    const advice = adviceFor(code, variables)
    throw advice === undefined ? error : new ListenError(`${address}:${port} ${advice}`, { cause: error })
  }

function adviceFor(code: string | undefined, { port, host }: Variables): string | undefined {
  if (code === 'EADDRINUSE') return `is already in use; stop the process that uses it, or set ${port}`
  if (code === 'EACCES') return `may not be opened by this user; set ${port} to a port from 1024 on`
  if (code === 'EADDRNOTAVAIL') return `is not an address of this machine; set ${host}`
  return undefined
}
