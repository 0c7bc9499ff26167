import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { isAlive } from './data-dir-lock.ts'
import { EmbeddedError } from './embedded-error.ts'

// Stops the PostgreSQL server that a killed service left running in a data directory. Call this only while holding the
// directory's lock. The process ID in the server's pid file may now belong to another process, which must not be
// stopped.

// The signals to send to the server, and how long to wait after each. The first signal requests a fast shutdown
// with a checkpoint. The second requests an immediate shutdown without a checkpoint, after which the next start
// recovers the data.
const steps = [
  { signal: 'SIGINT', patienceMs: 30_000 },
  { signal: 'SIGQUIT', patienceMs: 10_000 },
  { signal: 'SIGKILL', patienceMs: 5_000 },
] as const

export async function stopOrphanedPostgres(cluster: string, log: (line: string) => void): Promise<void> {
  const pidFile = join(cluster, 'postmaster.pid')
  const postmaster = Number((await readFile(pidFile, 'utf8').catch(() => '')).split('\n')[0])
  const left = () => postgresIn(cluster, postmaster)

  for (const { signal, patienceMs } of steps) {
    const pids = left()
    if (pids.length === 0) break
    log(`stopping PostgreSQL left running by an earlier start (process ${pids.join(', ')})`)
    // The postmaster, PostgreSQL's main process, stops its child processes. If the postmaster has ended, the child
    // processes are signaled directly.
    for (const pid of pids.includes(postmaster) ? [postmaster] : pids) kill(pid, signal)
    for (let waitedMs = 0; waitedMs < patienceMs && left().length > 0; waitedMs += 20) await sleep(20)
  }
  if (left().length > 0) throw new EmbeddedError(`PostgreSQL process ${left().join(', ')} does not stop`)

  // PostgreSQL does not start if its old pid file contains the ID of a running process. This file is removed, because
  // the process is an unrelated one that got the same ID.
  if (postmaster > 0 && isAlive(postmaster)) await rm(pidFile, { force: true })
}

function kill(pid: number, signal: NodeJS.Signals) {
  try {
    process.kill(pid, signal)
  } catch {
    // Sending the signal fails if the process has already exited, so the error is ignored.
  }
}

/** Returns the IDs of this cluster's PostgreSQL processes. Their current directory is the cluster's data directory. */
function postgresIn(cluster: string, postmaster: number): number[] {
  if (process.platform !== 'linux') return isPostmasterOf(cluster, postmaster) ? [postmaster] : []
  return readdirSync('/proc')
    .map(Number)
    .filter(pid => pid > 0 && worksIn(cluster, pid))
}

function worksIn(cluster: string, pid: number): boolean {
  try {
    return (
      readlinkSync(`/proc/${pid}/cwd`) === cluster &&
      readFileSync(`/proc/${pid}/comm`, 'utf8').startsWith('postgres')
    )
  } catch {
    return false // reading /proc fails if the process has exited or belongs to another user
  }
}

function isPostmasterOf(cluster: string, pid: number): boolean {
  if (!(pid > 0)) return false
  const { stdout } = spawnSync('ps', ['-ww', '-o', 'command=', '-p', `${pid}`], { encoding: 'utf8' })
  return stdout.includes(`postgres -D ${cluster} `)
}
