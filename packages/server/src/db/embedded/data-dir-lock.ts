import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { EmbeddedError } from './embedded-error.ts'

// Locks a data directory for one process. SQLite acquires a kernel lock with fcntl on an empty file, and the kernel
// releases this lock whenever the process ends. A pid file is less reliable, because a leftover file or a reused
// process ID could keep the directory locked. `lock.pid` is used only for the error message.

const BUSY = 5

// If two processes start at the same moment, each can acquire a part of the lock, so that both fail. Each process
// therefore retries for this long, after which exactly one succeeds.
const contendedMs = 500

/** Locks the data directory, creating it if necessary. Returns a function that releases the lock. */
export async function lockDataDir(dataDir: string): Promise<() => Promise<void>> {
  const pidFile = join(dataDir, 'lock.pid')
  const lock = await openLock(dataDir)
  try {
    lock.exec('begin exclusive')
  } catch (error) {
    lock.close()
    if ((error as { errcode?: number }).errcode !== BUSY) throw unusable(dataDir, error)
    throw new EmbeddedError(
      `data directory ${dataDir} is in use by ${await ownerOf(pidFile)}; stop it or set GAPURA_DATA_DIR`,
    )
  }
  await writeFile(pidFile, `${process.pid}\n`)
  return async () => {
    if (!lock.isOpen) return
    await rm(pidFile, { force: true })
    lock.close()
  }
}

async function openLock(dataDir: string): Promise<DatabaseSync> {
  try {
    await mkdir(dataDir, { recursive: true })
    // No other code may open the file `lock`: when a process closes any descriptor for a file, the kernel releases all
    // fcntl locks that the process holds on the file.
    return new DatabaseSync(join(dataDir, 'lock'), { timeout: contendedMs })
  } catch (error) {
    throw unusable(dataDir, error)
  }
}

function unusable(dataDir: string, error: unknown) {
  return new EmbeddedError(`data directory ${dataDir} cannot be used: ${(error as Error).message}`)
}

/**
 * Returns the ID of the process that has locked the data directory. The process writes its ID only after it has
 * acquired the lock, so the file is read repeatedly. Until then, the file may contain an earlier process's ID.
 */
async function ownerOf(pidFile: string): Promise<string> {
  for (let attempt = 0; attempt < 20; attempt++) {
    const pid = Number(await readFile(pidFile, 'utf8').catch(() => ''))
    if (pid > 0 && isAlive(pid)) return `process ${pid}`
    await sleep(25)
  }
  return 'another process'
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
