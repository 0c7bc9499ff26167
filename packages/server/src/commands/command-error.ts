export const FAILED = 1
export const USAGE = 2

/** What whoever gave the command can mend, in one line. */
export class CommandError extends Error {
  override name = 'CommandError'
  readonly exitCode: number

  constructor(message: string, exitCode: typeof FAILED | typeof USAGE = FAILED) {
    super(message)
    this.exitCode = exitCode
  }
}
