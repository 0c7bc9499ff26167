import { mkdtemp, rm, statfs } from 'node:fs/promises'
import { freemem, tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Embedded, startEmbedded } from './embedded.ts'

// Limits the size of the write-ahead log, because the data directory may be in memory.
const settings = { max_wal_size: '256MB' }

/** Starts a temporary database server for tests and tools. Its data is deleted when the server stops. */
export async function startTemporaryDatabase(): Promise<Embedded> {
  const dataDir = await mkdtemp(join(await fastDirectory(), 'gapura-throwaway-'))
  const remove = () => rm(dataDir, { recursive: true, force: true })
  try {
    const embedded = await startEmbedded({
      dataDir,
      durable: false,
      log: line => console.error(line),
      settings,
    })
    return { ...embedded, stop: () => embedded.stop().then(remove) }
  } catch (error) {
    await remove()
    throw error
  }
}

/**
 * Returns the directory of Linux's in-memory file system if it has enough free space. PostgreSQL creates hundreds
 * of files per database. On a disk, creating these files would take most of the time of a test run.
 */
async function fastDirectory(): Promise<string> {
  const inMemory = '/dev/shm'
  const free = await statfs(inMemory).then(
    ({ bavail, bsize }) => bavail * bsize,
    () => 0,
  )
  return Math.min(free, freemem()) > 4 * 1024 ** 3 ? inMemory : tmpdir()
}
