// Stores profiles: the address of a service and the credentials for it. All profiles are in one file that only its
// owner can read. A lock and atomic writes prevent concurrent commands from losing changes or using a refresh token
// twice.

import { randomUUID } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { homedir, hostname } from 'node:os'
import { dirname, isAbsolute, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { FailedError } from './failure.ts'
import type { Env } from './process-io.ts'

export type Session = {
  email: string
  access_token: string
  /** The time in milliseconds since the Unix epoch, by this machine's clock. */
  access_token_expires_at: number
  refresh_token: string
}
export type Profile = {
  base_url?: string
  session?: Session
  api_key?: string
  /** The device cookie set by the service at base_url (see device-cookie.ts). */
  device?: string
}
type Config = {
  profiles: Record<string, Profile>
  /**
   * The name of the default profile (a stored service address with credentials), which commands use unless another
   * profile is named.
   */
  current?: string
}

/**
 * If a lock file is older than this many milliseconds, the command that holds the lock is presumed to have
 * crashed. The limit is above a minute, because a token refresh respects Retry-After and may hold the lock for
 * that long.
 */
const LOCK_ABANDONED_AFTER_MS = 120_000

export function configFile(env: Env): string {
  // If XDG_CONFIG_HOME is a relative path, it is ignored, as the XDG specification requires.
  const { XDG_CONFIG_HOME: configured = '' } = env
  return join(isAbsolute(configured) ? configured : join(homedir(), '.config'), 'gapura', 'config.json')
}

export const findProfile = (env: Env, name: string): Profile | undefined => readConfig(env).profiles[name]

export const profileNames = (env: Env): string[] => Object.keys(readConfig(env).profiles)

export const currentProfile = (env: Env): string => readConfig(env).current ?? 'default'

/** Makes the current profile the default. */
export const useProfile = (env: Env, name: string): Promise<void> =>
  changeConfig(env, config => ({ ...config, current: name }))

/**
 * Calls `change` with the current profile and stores the profile that `change` returns. If `change` returns
 * undefined, deletes the profile.
 */
export async function changeProfile(
  env: Env,
  name: string,
  change: (profile: Profile) => Profile | undefined | Promise<Profile | undefined>,
): Promise<void> {
  await changeConfig(env, async config => {
    const changed = await change(config.profiles[name] ?? {})
    const { [name]: _, ...others } = config.profiles
    if (changed !== undefined) return { ...config, profiles: { ...others, [name]: changed } }
    const { current, ...rest } = config
    return { ...rest, profiles: others, ...(current !== undefined && current !== name && { current }) }
  })
}

async function changeConfig(env: Env, change: (config: Config) => Config | Promise<Config>): Promise<void> {
  const file = configFile(env)
  writing(file, () => mkdirSync(dirname(file), { recursive: true, mode: 0o700 }))
  await holding(`${file}.lock`, async () => {
    const changed = await change(readConfig(env))
    writing(file, () => write(file, changed))
  })
}

function readConfig(env: Env): Config {
  const file = configFile(env)
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return { profiles: {} }
    throw new FailedError(`${file} cannot be read: ${code}`, 'make the file readable for your user only')
  }
  try {
    const { profiles, ...rest } = JSON.parse(text) as Config
    // The object has no prototype, so a profile can have any name, such as `constructor`.
    return { ...rest, profiles: Object.assign(Object.create(null), profiles) }
  } catch {
    // The error does not contain the JSON parser's message, because that message quotes the file and could reveal
    // credentials.
    throw new FailedError(`${file} is not JSON`, 'correct the file, or delete it and run gapura login')
  }
}

function write(file: string, config: Config): void {
  const target = existsSync(file) ? realpathSync(file) : file
  const written = `${target}.${randomUUID()}.new`
  try {
    writeFileSync(written, `${JSON.stringify(config, null, 2)}\n`, { mode: 0o600, flush: true })
    renameSync(written, target)
  } finally {
    rmSync(written, { force: true })
  }
}

function writing(file: string, act: () => void): void {
  try {
    act()
  } catch (error) {
    throw unwritable(file, error)
  }
}

const unwritable = (file: string, error: unknown): FailedError =>
  new FailedError(
    `${file} cannot be written: ${(error as NodeJS.ErrnoException).code}`,
    "make the file's directory writable, or set XDG_CONFIG_HOME to a writable directory",
  )

async function holding(lock: string, act: () => Promise<void>): Promise<void> {
  const own = `${hostname()} ${process.pid} ${randomUUID()}`
  while (!taken(lock, own)) await pause(20)
  try {
    await act()
  } finally {
    if (contentOf(lock) === own) rmSync(lock, { force: true })
  }
}

function taken(lock: string, own: string): boolean {
  try {
    writeFileSync(lock, own, { flag: 'wx', mode: 0o600 })
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw unwritable(lock, error)
  }
  const holder = contentOf(lock)
  if (holder !== undefined && isAbandoned(lock, holder)) {
    // The abandoned lock file is renamed before it is deleted, so that only one of several waiting processes removes
    // the file. In rare cases, this removes the newer lock of a command that has just started. That command then
    // continues without its lock.
    const aside = `${lock}.${randomUUID()}`
    try {
      if (contentOf(lock) === holder) renameSync(lock, aside)
    } catch {
      // Another process has already removed the lock file, so there is nothing to rename.
    }
    rmSync(aside, { force: true })
  }
  return false
}

function isAbandoned(lock: string, holder: string): boolean {
  const [host, pid = ''] = holder.split(' ')
  if (host === hostname() && /^\d+$/.test(pid) && !isAlive(Number(pid))) return true
  const { mtimeMs } = statSync(lock, { throwIfNoEntry: false }) ?? { mtimeMs: Date.now() }
  return Date.now() - mtimeMs > LOCK_ABANDONED_AFTER_MS
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH'
  }
}

function contentOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}
