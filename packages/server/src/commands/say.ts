/** Results. */
export const say = (line: string): void => void process.stdout.write(`${line}\n`)

/** What is being done; apart from results, so that these can be piped on. */
export const sayProgress = (line: string): void => void process.stderr.write(`${line}\n`)
