// The input and output of a process that runs a command: arguments, environment and standard streams. Node's
// `process` has this type, and tests pass their own object.

import type { Readable, Writable } from 'node:stream'

export type ProcessIo = {
  env: Env
  stdin: Readable & { isTTY?: boolean }
  /** An output stream. `columns` is the terminal's width, and is set only if the stream is a terminal. */
  stdout: Writable & { columns?: number | undefined }
  stderr: Writable & { isTTY?: boolean }
}

export type Env = Record<string, string | undefined>
