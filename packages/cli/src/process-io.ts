// What a command reads and writes besides files and the service. `process` has this type; tests pass streams of their
// own.

import type { Readable, Writable } from 'node:stream'

export type ProcessIo = {
  env: Env
  stdin: Readable & { isTTY?: boolean }
  /** `columns` is the width of a terminal. */
  stdout: Writable & { columns?: number | undefined }
  stderr: Writable & { isTTY?: boolean }
}

export type Env = Record<string, string | undefined>
