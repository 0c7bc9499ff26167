// Buffers log lines and writes them with one system call, because one call per request would be costly. The buffered
// output of the library pino is not used: a process with this output would never end if the program that reads the log
// has exited.

import { writeSync } from 'node:fs'

const FLUSH_AT_LENGTH = 8_192
const FLUSH_AFTER_MS = 100
/**
 * The maximum size of the log line buffer. If the program reading the log has stopped reading and the buffer is
 * full, lines are lost.
 */
const MAX_BUFFERED_BYTES = 16 * 1024 * 1024

export type LineWriter = { write(line: string): void; flush(): void }

export function lineWriter(fd: number): LineWriter {
  let lines: string[] = []
  let length = 0
  let rest = Buffer.alloc(0)
  let timer: NodeJS.Timeout | undefined

  function flush(): void {
    clearTimeout(timer)
    timer = undefined
    if (rest.length < MAX_BUFFERED_BYTES) rest = Buffer.concat([rest, Buffer.from(lines.join(''))])
    lines = []
    length = 0
    try {
      while (rest.length > 0) rest = rest.subarray(writeSync(fd, rest))
    } catch (error) {
      // The error EAGAIN means that the pipe is full. Any other error means that the pipe's reader has exited.
      if ((error as NodeJS.ErrnoException).code === 'EAGAIN')
        timer = setTimeout(flush, FLUSH_AFTER_MS).unref()
      else rest = Buffer.alloc(0)
    }
  }

  return {
    write(line) {
      lines.push(line)
      length += line.length
      // If an earlier write was incomplete because the pipe was full, only the timer retries it. A new log line does
      // not start another write.
      if (length >= FLUSH_AT_LENGTH && rest.length === 0) flush()
      else timer ??= setTimeout(flush, FLUSH_AFTER_MS).unref()
    },
    flush,
  }
}
