// Lines of the log that come together go out with one system call; a line for each request would cost one each.
//
// pino's own destination does so, too, but waits for ever at the end of the process for a reader that is gone.

import { writeSync } from 'node:fs'

const WRITTEN_AT_LENGTH = 8_192
const WRITTEN_AFTER_MS = 100
/** Of a reader that does not read; what comes beyond is lost. */
const KEPT_BYTES = 16 * 1024 * 1024

export type LineWriter = { write(line: string): void; flush(): void }

export function lineWriter(fd: number): LineWriter {
  let lines: string[] = []
  let length = 0
  let rest = Buffer.alloc(0)
  let timer: NodeJS.Timeout | undefined

  function flush(): void {
    clearTimeout(timer)
    timer = undefined
    if (rest.length < KEPT_BYTES) rest = Buffer.concat([rest, Buffer.from(lines.join(''))])
    lines = []
    length = 0
    try {
      while (rest.length > 0) rest = rest.subarray(writeSync(fd, rest))
    } catch (error) {
      // Full for now, or nobody reads any more.
      if ((error as NodeJS.ErrnoException).code === 'EAGAIN')
        timer = setTimeout(flush, WRITTEN_AFTER_MS).unref()
      else rest = Buffer.alloc(0)
    }
  }

  return {
    write(line) {
      lines.push(line)
      length += line.length
      // While the reader does not read, only the timer tries again.
      if (length >= WRITTEN_AT_LENGTH && rest.length === 0) flush()
      else timer ??= setTimeout(flush, WRITTEN_AFTER_MS).unref()
    },
    flush,
  }
}
