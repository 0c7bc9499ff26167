import type { Context, StreamedLine } from '../api/context.ts'
import { admitted } from '../api/trpc.ts'

/**
 * How long a check of the caller's access stays valid. After this time, the access is checked again before the next
 * line of a streamed response.
 */
const CHECK_AFTER_MS = 1_000

type Write = (line: StreamedLine) => Promise<void>

/**
 * Writes the lines of a streamed response while the caller has access. A client can read for hours and lose its access
 * during this time. Access is checked again after a certain time, not after a number of lines, because a client can
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

/**
 * Passes on the chunks of an upload. After the last chunk, throws an error if the caller no longer has access, because
 * an upload can take two minutes.
 */
export async function* uploadWhileAdmitted(
  upload: AsyncIterable<Buffer>,
  operation: Parameters<typeof admitted>[0],
  { identifyAgain }: Pick<Context, 'identifyAgain'>,
): AsyncGenerator<Buffer> {
  yield* upload
  admitted(operation, { caller: await identifyAgain() })
}
