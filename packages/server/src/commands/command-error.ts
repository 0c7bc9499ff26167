export const FAILED = 1
export const USAGE = 2

/** Thrown when a gapura-server command fails for a reason that the operator can fix. The message is one line. */
export class CommandError extends Error {
  override name = 'CommandError'
  readonly exitCode: number

  constructor(message: string, exitCode: typeof FAILED | typeof USAGE = FAILED) {
    super(message)
    this.exitCode = exitCode
  }
}
