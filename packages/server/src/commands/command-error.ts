export const FAILED = 1
export const USAGE = 2

/** A one-line error that the user of the command can fix. */
export class CommandError extends Error {
  override name = 'CommandError'
  readonly exitCode: number

  constructor(message: string, exitCode: typeof FAILED | typeof USAGE = FAILED) {
    super(message)
    this.exitCode = exitCode
  }
}
