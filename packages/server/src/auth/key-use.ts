// When each key was last used, to the minute. Requests only note it; what was noted is written for all keys
// of the process with one statement, so that no request waits for it.

import type { KeyUse } from './key.sql.ts'

const RESOLUTION_MS = 60_000
/** How long a first use may stay unseen in the list of keys. */
const WRITE_EVERY_MS = 1_000

export type KeyUses = {
  note(keyId: string): void
  /** Writes what was noted; what could not be written is kept for the next time. */
  write(): Promise<void>
  stop(): Promise<void>
}

export function keyUses(
  writeUses: (uses: KeyUse[], resolutionMs: number) => Promise<void>,
  { clock, failed }: { clock: () => Date; failed: (error: unknown) => void },
): KeyUses {
  /** The use of each key that was put down last; those older than the resolution are forgotten. */
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
