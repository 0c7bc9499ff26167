// The input and output of the process that runs a command: arguments, environment and standard streams. `process`
// has this type. Tests pass their own object.

import type { Readable, Writable } from 'node:stream'

export type ProcessIo = {
  env: Env
  stdin: Readable & { isTTY?: boolean }
  /** An output stream. If it is a terminal, `columns` is its width. */
  stdout: Writable & { columns?: number | undefined }
  stderr: Writable & { isTTY?: boolean }
}

export type Env = Record<string, string | undefined>
