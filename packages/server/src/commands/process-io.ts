// A command's environment variables and its input and output streams. Node's `process` has this type, and
// tests pass an object with other streams instead.

import type { Readable, Writable } from 'node:stream'

export type ProcessIo = {
  env: NodeJS.ProcessEnv
  stdin: Readable & { isTTY?: boolean }
  stdout: Writable
  stderr: Writable
}

export type Progress = (line: string) => void

/**
 * Returns functions that print lines. Results go to standard output, and progress to standard error, so that results
 * can be piped.
 */
export const reporterOf = ({ stdout, stderr }: ProcessIo): { say: Progress; progress: Progress } => ({
  say: line => void stdout.write(`${line}\n`),
  progress: line => void stderr.write(`${line}\n`),
})
