/** Prints a result to standard output. */
export const say = (line: string): void => void process.stdout.write(`${line}\n`)

/** Prints progress to standard error, so that results can be piped. */
export const sayProgress = (line: string): void => void process.stderr.write(`${line}\n`)
