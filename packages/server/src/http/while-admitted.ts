import type { Context, StreamedLine } from '../api/context.ts'
import { admitted } from '../api/trpc.ts'

/** The time after which the caller's access is checked again before a line is written. */
const CHECK_AFTER_MS = 1_000

type Write = (line: StreamedLine) => Promise<void>

/**
 * Writes the lines of a streamed response as long as the caller has access. A client can read a response for hours,
 * and may lose its access meanwhile. The access is checked by time and not by the number of lines, because a client can
 * stop reading at any line.
 */
export function whileAdmitted(
  write: Write,
  operation: Parameters<typeof admitted>[0],
  { identifyAgain }: Pick<Context, 'identifyAgain'>,
): Write {
  let checkedAt = performance.now()
  return async line => {
    if (performance.now() - checkedAt >= CHECK_AFTER_MS) {
      admitted(operation, { caller: await identifyAgain() })
      checkedAt = performance.now()
    }
    await write(line)
  }
}
