// An in-memory file system of limited size for PostgreSQL, which the fault `fill disk` fills. Only root on Linux can
// mount it.

import { execFile } from 'node:child_process'
import { rm, statfs, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { PostgresServers } from '../../packages/server/test/support/postgres-servers.ts'

const run = promisify(execFile)

/**
 * Returns the file system's size in MB. Three copies of the database must fit: one for each of the two servers, and
 * one for a failover. A copy takes about 250 MB, plus up to 20 kB per payment.
 */
const sizeFor = (payments: number): number => 1_200 + Math.ceil(payments * 0.06)
const REFILL_EVERY_MS = 200
const CHUNK_BYTES = 16 * 1024 * 1024

/** Mounts the file system. Returns a function that unmounts it, or undefined if the current user cannot mount it. */
export async function mountSmallDisk(
  directory: string,
  payments: number,
): Promise<(() => Promise<void>) | undefined> {
  try {
    await run('mount', [
      '-t',
      'tmpfs',
      '-o',
      `size=${sizeFor(payments)}m,mode=0755`,
      'gapura-faults',
      directory,
    ])
  } catch {
    return undefined
  }
  return async () => {
    // If a killed server's processes still have open files, only a lazy unmount succeeds. A lazy unmount removes the
    // file system when these processes exit.
    await run('umount', ['--lazy', directory])
  }
}

/**
 * Keeps the disk full for `forMs` milliseconds, even if PostgreSQL frees space. Afterwards, restarts PostgreSQL, which
 * stops if it cannot write its write-ahead log.
 */
export async function fillDisk(directory: string, forMs: number, servers: PostgresServers): Promise<void> {
  const files: string[] = []
  const endsAt = performance.now() + forMs
  try {
    while (performance.now() < endsAt) {
      const { bavail, bsize } = await statfs(directory)
      for (let left = bavail * bsize; left > 0 && performance.now() < endsAt; left -= CHUNK_BYTES) {
        const file = join(directory, `ballast-${files.length}`)
        files.push(file)
        await writeFile(file, Buffer.alloc(Math.min(left, CHUNK_BYTES))).catch(() => {})
      }
      await pause(REFILL_EVERY_MS)
    }
  } finally {
    for (const file of files) await rm(file, { force: true })
  }
  await servers.ensureRunning()
}
