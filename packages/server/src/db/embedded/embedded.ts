import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, existsSync, openSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { chown, mkdtemp, readFile, readlink, rename, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { lockDataDir } from './data-dir-lock.ts'
import { EmbeddedError } from './embedded-error.ts'
import { stopOrphanedPostgres } from './left-over-postgres.ts'
import { canReach, type PostgresUser, spawnAs } from './postgres-binaries.ts'
import { type Cluster, openCluster } from './postgres-cluster.ts'

// Runs a PostgreSQL server in the data directory, for operators without a database server. The directory
// contains:
// - `lock` and `lock.pid`: the lock that prevents a second service from using this data directory.
// - `postgres/`: the database cluster, or a link if PostgreSQL's user cannot access this directory.
// - `postgres.log`: the server's log.
// - `socket`: a link to the directory with the server's Unix socket. To connect, run `psql -h <data dir>/socket -U
//   gapura gapura`.
//
// The server listens only on its Unix socket, in a directory with mode 0700. There is no password, because a user
// who can open the socket could also read the database files.

export type Embedded = {
  /**
   * Connects as `gapura`, the running service's role. As in an external database, it may read and write rows but
   * owns no tables.
   */
  url: string
  /** Connects as `gapura_owner`, which owns the tables and runs migrations. */
  ownerUrl: string
  /** Connects as the superuser, for tests and tools. */
  adminUrl: string
  stop(): Promise<void>
  /**
   * Resolves when the database server has exited, with the `reason` for the exit. `asked` is true if a call of `stop()`
   * caused the exit.
   */
  exited: Promise<{ asked: boolean; reason: string }>
}

type Options = {
  dataDir: string
  log: (line: string) => void
  /**
   * Whether commits are durable. If false, a power failure can destroy the data. Use false only for temporary
   * databases, such as those in tests.
   */
  durable?: boolean
  /** PostgreSQL settings that override the defaults in this file. */
  settings?: Record<string, string>
}

export async function startEmbedded({
  dataDir: named,
  log,
  durable = true,
  settings: overrides = {},
}: Options): Promise<Embedded> {
  const unlock = await lockDataDir(named)
  try {
    const dataDir = realpathSync(named)
    const cluster = await openCluster(dataDir, { durable, log })
    await stopOrphanedPostgres(cluster.directory, log)
    const socketDir = await openSocketDir(dataDir, cluster.user)
    const server = await startServer(dataDir, cluster, settings(socketDir, durable, overrides), log)
    const close = async () => {
      await rm(socketDir, { recursive: true, force: true })
      await rm(join(dataDir, 'socket'), { force: true })
      await unlock()
    }
    const embedded = supervise(server, join(dataDir, 'postgres.log'), close)
    const address = (user: string, database: string) =>
      `postgres://${user}@localhost/${database}?host=${encodeURIComponent(socketDir)}`
    try {
      await createDatabase(address('postgres', 'template1'))
    } catch (error) {
      await embedded.stop()
      throw error
    }
    return {
      url: address('gapura', 'gapura'),
      ownerUrl: address('gapura_owner', 'gapura'),
      adminUrl: address('postgres', 'postgres'),
      ...embedded,
    }
  } catch (error) {
    await unlock()
    throw error
  }
}

function settings(socketDir: string, durable: boolean, overrides: Record<string, string>): string[] {
  const values: Record<string, string> = {
    unix_socket_directories: `"${socketDir}"`,
    unix_socket_permissions: '0700',
    listen_addresses: '',
    max_connections: '100',
    shared_buffers: '128MB',
    shared_preload_libraries: 'pg_stat_statements',
    // The write-ahead log is needed only for crash recovery, because the embedded database has no standby
    // server.
    wal_level: 'minimal',
    max_wal_senders: '0',
    // The service's queries are short, so JIT compilation would cost more than it saves.
    jit: 'off',
    timezone: 'UTC',
    log_timezone: 'UTC',
    log_line_prefix: '%m [%p] %a ',
    log_checkpoints: 'off',
    // A database server for tests needs many connections: each running test file has its own database, to
    // which several connection pools connect.
    ...(durable ? {} : { fsync: 'off', full_page_writes: 'off', max_connections: '600' }),
    ...overrides,
  }
  return Object.entries(values).flatMap(([name, value]) => ['-c', `${name}=${value}`])
}

// The maximum length of the path to the socket's directory. Some systems limit a socket's path to 103 bytes, including
// the file name. The data directory's path may be longer, so the socket is in a separate directory.
const longestSocketDir = 85

async function openSocketDir(dataDir: string, user: PostgresUser | undefined): Promise<string> {
  const link = join(dataDir, 'socket')
  const former = await readlink(link).catch(() => undefined)
  if (former && basename(former).startsWith('gapura-socket-'))
    await rm(former, { recursive: true, force: true })
  await rm(link, { force: true })

  const fits = [tmpdir(), '/tmp'].find(
    dir => existsSync(dir) && canReach(user, realpathSync(dir)) && dir.length + 21 <= longestSocketDir,
  )
  if (!fits)
    throw new EmbeddedError(
      'the directory for temporary files does not exist, is not accessible, or has too long a path; set TMPDIR',
    )
  const socketDir = await mkdtemp(join(fits, 'gapura-socket-'))
  if (user) await chown(socketDir, user.uid, user.gid)
  await symlink(socketDir, link)
  return socketDir
}

const largestLogBytes = 10_000_000

async function startServer(
  dataDir: string,
  { directory, binaries, user }: Cluster,
  settings: string[],
  log: (line: string) => void,
): Promise<ChildProcess> {
  const logFile = join(dataDir, 'postgres.log')
  const size = statSync(logFile, { throwIfNoEntry: false })?.size ?? 0
  if (size > largestLogBytes) await rename(logFile, `${logFile}.1`)
  // PostgreSQL logs to a file instead of a pipe to the service, so that it can still write its log after the
  // service exits.
  const output = openSync(logFile, 'a', 0o600)
  const begun = statSync(logFile).size
  const args = ['-D', directory, ...settings]
  const server = spawnAs(user, 'INT', join(binaries, 'postgres'), args, ['ignore', output, output])
  closeSync(output)
  await Promise.race([once(server, 'spawn'), once(server, 'error').then(([error]) => Promise.reject(error))])

  for (let waitedMs = 0; !(await isReady(directory, server)); waitedMs += 10) {
    if (server.exitCode !== null || server.signalCode !== null) {
      const said = readFileSync(logFile).subarray(begun).toString()
      const reason = said.match(/FATAL: +(.*)/)?.[1] ?? said.trim().split('\n').at(-1)
      throw new EmbeddedError(`PostgreSQL did not start: ${reason}; see ${logFile}`)
    }
    // Crash recovery after many writes can take minutes. The service therefore waits without a time limit,
    // and logs that it is waiting.
    if (waitedMs > 0 && waitedMs % 5_000 === 0) log(`PostgreSQL is still starting; see ${logFile}`)
    await sleep(10)
  }
  return server
}

/**
 * Returns whether the database server accepts connections. The server reports this as `ready` in line 8 of its pid
 * file.
 */
async function isReady(directory: string, server: ChildProcess): Promise<boolean> {
  const lines = (await readFile(join(directory, 'postmaster.pid'), 'utf8').catch(() => '')).split('\n')
  return Number(lines[0]) === server.pid && lines[7]?.trim() === 'ready'
}

// A fast shutdown writes a checkpoint, which takes seconds. If the database server has not exited after this
// time, it is stopped without a checkpoint. The next start then recovers the data from the write-ahead log.
const shutdownPatienceMs = 60_000

function supervise(server: ChildProcess, logFile: string, close: () => Promise<void>) {
  let asked = false
  const interrupt = () => server.kill('SIGINT')
  // Stops the database server when this process exits. The kernel cannot be relied on for this, because some
  // kernels do not signal a program when its parent process ends.
  process.once('exit', interrupt)
  const ended =
    server.exitCode === null && server.signalCode === null ? once(server, 'exit') : Promise.resolve()
  const exited = ended.then(async () => {
    process.off('exit', interrupt)
    await close()
    const how = server.signalCode ?? `code ${server.exitCode}`
    return { asked, reason: asked ? 'stopped' : `PostgreSQL ended by itself (${how}); see ${logFile}` }
  })
  const stop = async () => {
    asked = true
    interrupt()
    const late = setTimeout(() => server.kill('SIGQUIT'), shutdownPatienceMs)
    await exited
    clearTimeout(late)
  }
  return { stop, exited }
}

/**
 * Creates the roles, the extensions and finally the database. If the database exists, the roles and extensions
 * therefore exist too. Extensions that need a superuser are created in the template database, from which the new
 * database inherits them.
 */
async function createDatabase(templateUrl: string) {
  const client = new pg.Client({ connectionString: templateUrl })
  client.on('error', () => {}) // a connection error is ignored here, because the pending query reports it
  await client.connect()
  try {
    // Creates missing roles as a superuser, because only a superuser may create them. In a data directory
    // that an earlier version of the service created, some roles are missing, and the role gapura still owns
    // the database.
    await client.query(`
      do $$ begin
        if to_regrole('gapura') is null then create role gapura login; end if;
        if to_regrole('gapura_owner') is null then create role gapura_owner login; end if;
        if to_regrole('gapura_tenant') is null then create role gapura_tenant nologin; end if;
      end $$;
      grant gapura_tenant to gapura, gapura_owner with inherit false;
      grant gapura, pg_read_all_stats to gapura_owner;
    `)
    const { rowCount } = await client.query(`select from pg_database where datname = 'gapura'`)
    if (rowCount) {
      await client.query('alter database gapura owner to gapura_owner')
      return
    }
    await client.query('create extension if not exists pg_stat_statements; grant pg_monitor to gapura')
    await client.query('create database gapura owner gapura_owner')
  } finally {
    await client.end()
  }
}
