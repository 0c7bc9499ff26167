// Records when each API key was last used, to the minute. A request records the use only in memory. Each process
// later writes all recorded uses in one statement.

import type { KeyUse } from './key.sql.ts'

const RESOLUTION_MS = 60_000
/**
 * The interval, in milliseconds, at which the uses of API keys are written to the database. A key's first use appears
 * in the list of API keys after at most this time.
 */
const WRITE_EVERY_MS = 1_000

export type KeyUses = {
  note(keyId: string): void
  /**
   * Writes the recorded uses of API keys to the database. Uses that could not be written stay in memory for the next
   * attempt.
   */
  write(): Promise<void>
  stop(): Promise<void>
}

export function keyUses(
  writeUses: (uses: KeyUse[], resolutionMs: number) => Promise<void>,
  { clock, failed }: { clock: () => Date; failed: (error: unknown) => void },
): KeyUses {
  /**
   * The last-used time of each API key, as written to the database. A key's next use is written only if this time is
   * older than `RESOLUTION_MS`. Older times are removed from memory, because they no longer prevent a write.
   */
  const written = new Map<string, number>()
  const noted = new Map<string, Date>()
  let writing: Promise<void> = Promise.resolve()

  async function writeNoted(): Promise<void> {
    const now = clock().getTime()
    for (const [id, at] of written) if (now - at >= RESOLUTION_MS) written.delete(id)
    const uses = [...noted].map(([id, at]) => ({ id, at }))
    if (uses.length === 0) return
    noted.clear()
    for (const { id, at } of uses) written.set(id, at.getTime())
    try {
      await writeUses(uses, RESOLUTION_MS)
    } catch (error) {
      for (const { id, at } of uses) {
        written.delete(id)
        noted.set(id, at)
      }
      failed(error)
    }
  }
  const write = () => {
    writing = writing.then(writeNoted)
    return writing
  }
  const timer = setInterval(write, WRITE_EVERY_MS).unref()

  return {
    note(keyId) {
      const now = clock()
      const last = written.get(keyId)
      if (last === undefined || now.getTime() - last >= RESOLUTION_MS) noted.set(keyId, now)
    },
    write,
    async stop() {
      clearInterval(timer)
      await write()
    },
  }
}
