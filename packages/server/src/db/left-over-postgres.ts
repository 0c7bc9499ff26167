import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { isAlive } from './data-dir-lock.ts'
import { EmbeddedError } from './embedded-error.ts'

// A service that was killed may leave its PostgreSQL running, or on its way down, or only its pid file,
// whose number by now may be anyone's. Whoever holds the data directory's lock may clear all of it away.

// A fast shutdown writes a checkpoint; a disk that needs longer than this for it is given an immediate one,
// from which the next start recovers.
const steps = [
  { signal: 'SIGINT', patienceMs: 30_000 },
  { signal: 'SIGQUIT', patienceMs: 10_000 },
  { signal: 'SIGKILL', patienceMs: 5_000 },
] as const

export async function stopLeftOver(cluster: string, log: (line: string) => void): Promise<void> {
  const pidFile = join(cluster, 'postmaster.pid')
  const postmaster = Number((await readFile(pidFile, 'utf8').catch(() => '')).split('\n')[0])
  const left = () => postgresIn(cluster, postmaster)

  for (const { signal, patienceMs } of steps) {
    const pids = left()
    if (pids.length === 0) break
    log(`stopping the PostgreSQL that an earlier start left behind (process ${pids.join(', ')})`)
    // The postmaster brings its own processes down; without one, they are told themselves.
    for (const pid of pids.includes(postmaster) ? [postmaster] : pids) kill(pid, signal)
    for (let waitedMs = 0; waitedMs < patienceMs && left().length > 0; waitedMs += 20) await sleep(20)
  }
  if (left().length > 0) throw new EmbeddedError(`PostgreSQL process ${left().join(', ')} does not stop`)

  // PostgreSQL discards the pid file of a process that is gone, but believes one whose number was reused.
  if (postmaster > 0 && isAlive(postmaster)) await rm(pidFile, { force: true })
}

function kill(pid: number, signal: NodeJS.Signals) {
  try {
    process.kill(pid, signal)
  } catch {
    // It went by itself.
  }
}

/** Every PostgreSQL process works from inside its data directory, which tells it from all others. */
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
    return false // gone meanwhile, or another user's
  }
}

function isPostmasterOf(cluster: string, pid: number): boolean {
  if (!(pid > 0)) return false
  const { stdout } = spawnSync('ps', ['-ww', '-o', 'command=', '-p', `${pid}`], { encoding: 'utf8' })
  return stdout.includes(`postgres -D ${cluster} `)
}
