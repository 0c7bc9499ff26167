import { once } from 'node:events'
import { existsSync, lstatSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { chmod, chown, mkdir, mkdtemp, readdir, rename, rm, symlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { EmbeddedError } from './embedded-error.ts'
import {
  canReach,
  findBinaries,
  isRoot,
  type PostgresUser,
  spawnAs,
  systemUser,
} from './postgres-binaries.ts'

/**
 * What is needed to run PostgreSQL: its data directory, the binaries of the PostgreSQL version that matches
 * this directory, and the user that runs the binaries.
 */
export type Cluster = { directory: string; binaries: string; user: PostgresUser | undefined }

const majorVersion = '18'

// The directory for PostgreSQL's files if the service runs as root and PostgreSQL's user cannot access the data
// directory. The system deletes old files in /var/tmp, but not in this directory.
const reachableHome = '/var/lib/gapura'

/**
 * Opens the PostgreSQL cluster (one server's databases) in a locked data directory. On the first start, creates the
 * cluster.
 */
export async function openCluster(
  dataDir: string,
  { durable, log }: { durable: boolean; log: (line: string) => void },
): Promise<Cluster> {
  const place = join(dataDir, 'postgres')
  const known = lstatSync(place, { throwIfNoEntry: false })
  if (known) return openKnown(place, dataDir, log)

  const user = isRoot ? systemUser() : undefined
  if (user) await openForPassing(dataDir, user)
  const binaries = await findBinaries(user, log)
  const home = canReach(user, dataDir) ? dataDir : await reachableDirectory(user)
  const directory = await createIn(home, { binaries, user, durable })
  if (home !== dataDir) {
    await symlink(directory, place)
    log(
      `the system user that runs PostgreSQL cannot access ${dataDir}, so the database is stored in ${directory}`,
    )
  }
  return { directory: realpathSync(directory), binaries, user }
}

/**
 * Lets PostgreSQL's user reach paths inside the data directory without listing its files. This exposes no data, because
 * each file in the directory can be read only by its owner.
 */
async function openForPassing(dataDir: string, user: PostgresUser) {
  if (canReach(user, dirname(dataDir))) await chmod(dataDir, statSync(dataDir).mode | 0o011)
}

async function openKnown(place: string, dataDir: string, log: (line: string) => void): Promise<Cluster> {
  if (!existsSync(place)) {
    throw new EmbeddedError(
      `${place} points to a database that no longer exists; remove ${dataDir} to start with a new one`,
    )
  }
  const directory = realpathSync(place)
  const version = readFileSync(join(directory, 'PG_VERSION'), 'utf8').trim()
  if (version !== majorVersion) {
    throw new EmbeddedError(
      `${place} was created by PostgreSQL ${version}, but this is PostgreSQL ${majorVersion}`,
    )
  }
  const user = ownerOf(directory)
  if (user) await openForPassing(dataDir, user)
  if (!canReach(user, directory)) {
    throw new EmbeddedError(
      `user ${user?.uid}, who owns the database, cannot access ${directory}; allow access to its parent directories, or set GAPURA_DATA_DIR`,
    )
  }
  return { directory, binaries: await findBinaries(user, log), user }
}

/**
 * Returns the user that owns an existing cluster. A service that runs as root starts the cluster as this user, even if
 * the machine's default PostgreSQL user is a different one by now.
 */
function ownerOf(directory: string): PostgresUser | undefined {
  const { uid, gid } = statSync(directory)
  if (isRoot && uid !== 0) return { uid, gid }
  if (uid === process.geteuid?.()) {
    if (!isRoot) return undefined
    throw new EmbeddedError(
      `${directory} belongs to root, but PostgreSQL does not run as root; change the owner with chown -R`,
    )
  }
  throw new EmbeddedError(`data directory ${directory} belongs to user ${uid}; start as that user`)
}

async function reachableDirectory(user: PostgresUser | undefined): Promise<string> {
  await mkdir(reachableHome, { recursive: true, mode: 0o755 })
  const home = await mkdtemp(join(reachableHome, 'data-'))
  if (user) await chown(home, user.uid, user.gid)
  return home
}

type Creation = { binaries: string; user: PostgresUser | undefined; durable: boolean }

/**
 * Creates the cluster under a temporary name, and renames it when it is complete. If the service is killed
 * before that, the next start deletes the incomplete cluster.
 */
async function createIn(home: string, { binaries, user, durable }: Creation): Promise<string> {
  for (const name of await readdir(home)) {
    if (name.startsWith('postgres-draft-')) await rm(join(home, name), { recursive: true, force: true })
  }
  const draft = await mkdtemp(join(home, 'postgres-draft-'))
  if (user) await chown(draft, user.uid, user.gid)
  // PostgreSQL's built-in locale C.UTF-8 sorts and converts case in the same way on every system, independently of the
  // system's libraries.
  const locale = ['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--encoding=UTF8']
  const sync = durable ? [] : ['--no-sync']
  const args = ['-D', draft, '-U', 'postgres', '--auth=trust', '--no-instructions', ...locale, ...sync]
  const initdb = spawnAs(user, 'KILL', join(binaries, 'initdb'), args, ['ignore', 'ignore', 'pipe'])
  const complaints = initdb.stderr ? text(initdb.stderr) : ''
  const [code, signal] = await once(initdb, 'exit')
  if (code !== 0) {
    const reason = (await complaints)
      .trim()
      .split('\n')
      .find(line => /error|fatal/i.test(line))
    throw new EmbeddedError(
      `the database could not be created in ${home}: ${reason ?? `initdb exited with ${code ?? signal}`}`,
    )
  }
  const directory = join(home, 'postgres')
  await rename(draft, directory)
  return directory
}
