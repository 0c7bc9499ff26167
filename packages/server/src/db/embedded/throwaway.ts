import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Embedded, startEmbedded } from './embedded.ts'

/** Starts a database server for tests and tools; its data is deleted when it stops. */
export async function startTemporaryDatabase(): Promise<Embedded> {
  const dataDir = await mkdtemp(join(tmpdir(), 'gapura-throwaway-'))
  const remove = () => rm(dataDir, { recursive: true, force: true })
  try {
    const embedded = await startEmbedded({ dataDir, durable: false, log: line => console.error(line) })
    return { ...embedded, stop: () => embedded.stop().then(remove) }
  } catch (error) {
    await remove()
    throw error
  }
}
