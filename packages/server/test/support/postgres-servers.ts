// Runs a PostgreSQL primary and optionally a synchronous standby, which can be promoted. The embedded PostgreSQL
// has no pg_basebackup, so the standby is a copy of the primary's files (see low-level backups in PostgreSQL's
// documentation).

import { type ChildProcess, execFile } from 'node:child_process'
import { once } from 'node:events'
import { openSync } from 'node:fs'
import { chmod, chown, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { startEmbedded } from '../../src/db/embedded/embedded.ts'
import type { PostgresUser } from '../../src/db/embedded/postgres-binaries.ts'
import { spawnAs } from '../../src/db/embedded/postgres-binaries.ts'
import { type Cluster, openCluster } from '../../src/db/embedded/postgres-cluster.ts'

export type PostgresServers = {
  /** The directory for each server's Unix socket. */
  socketDirs: string[]
  /** The current primary's connection URL for the given user. */
  url(user: string): string
  /** The current primary's data directory. */
  dataDir(): string
  /** Sends SIGKILL to the primary's postmaster, which makes PostgreSQL's other processes exit. */
  kill(): Promise<void>
  /** Shuts the primary down. Open transactions are rolled back. */
  shutDown(): Promise<void>
  /** Starts the server that was the last primary. */
  start(): Promise<void>
  /**
   * Promotes the standby to primary, and resolves when it accepts writes. The promoted server has no standby
   * of its own until `addStandby` is called.
   */
  promote(): Promise<void>
  /** Starts the server that is not the primary. This server becomes the primary's new synchronous standby. */
  addStandby(): Promise<void>
  /**
   * Starts the former primary as a second primary instead of a standby, as an init system does if nothing
   * prevents it.
   */
  startFormerPrimary(): Promise<void>
  /**
   * Starts every database server whose process exited on its own, and resolves when the primary server
   * accepts connections.
   */
  ensureRunning(): Promise<void>
  /** Stops the standby, after which commits on the primary wait until a standby is available again. */
  stopStandby(): Promise<void>
  stop(): Promise<void>
}

type Server = { directory: string; socketDir: string; logFile: string; process?: ChildProcess }

const LOOK_EVERY_MS = 20
/**
 * Matches the error messages of a PostgreSQL server that cannot start yet, because the operating system is still
 * releasing the killed server's shared memory.
 */
const STILL_IN_USE = /shared memory|lock file|in use|is running/i

/** Starts the servers in `directory`. PostgreSQL's system user must be able to enter this directory. */
export async function startPostgresServers(
  directory: string,
  { standby = true, settings = {} }: { standby?: boolean; settings?: Record<string, string> } = {},
): Promise<PostgresServers> {
  const embedded = await startEmbedded({ dataDir: join(directory, 'primary'), log: () => {} })
  await embedded.stop()
  const cluster = await openCluster(join(directory, 'primary'), { durable: true, log: () => {} })
  const server = async (name: string, dataDir: string): Promise<Server> => ({
    directory: dataDir,
    socketDir: await ownDirectory(join(directory, `${name}-socket`), cluster.user),
    logFile: join(directory, `${name}.log`),
  })
  const servers: [Server, Server] = [
    await server('1', cluster.directory),
    await server('2', join(directory, 'standby')),
  ]
  let [primary, other] = servers

  const begin = (each: Server) =>
    startServer(each, cluster, {
      ...settings,
      primary_conninfo: conninfo(each === primary ? other : primary),
    })
  await begin(primary)

  async function addStandby(): Promise<void> {
    await copyFiles(primary, other, cluster.user)
    await begin(other)
    await withAdmin(primary, async admin => {
      await admin.query(`alter system set synchronous_standby_names = '*'`)
      await admin.query('select pg_reload_conf()')
      const isSynchronous = `select from pg_stat_replication where sync_state = 'sync' and state = 'streaming'`
      while ((await admin.query(isSynchronous)).rowCount === 0) await pause(LOOK_EVERY_MS)
    })
  }
  if (standby) await addStandby()

  return {
    socketDirs: standby ? servers.map(({ socketDir }) => socketDir) : [primary.socketDir],
    url: user => urlOf(primary, user),
    dataDir: () => primary.directory,
    kill: () => end(primary, 'SIGKILL'),
    shutDown: () => end(primary, 'SIGINT'),
    start: () => begin(primary),
    async promote() {
      ;[primary, other] = [other, primary]
      await withAdmin(primary, admin => admin.query('select pg_promote(true)'))
    },
    addStandby,
    startFormerPrimary: () => begin(other),
    async ensureRunning() {
      for (;;) {
        for (const each of standby ? [primary, other] : [primary]) if (hasExited(each)) await begin(each)
        if (await withAdmin(primary, admin => admin.query('select')).catch(() => undefined)) return
        await pause(5 * LOOK_EVERY_MS)
      }
    },
    stopStandby: () => end(other, 'SIGINT'),
    async stop() {
      // The standby is stopped before the primary, because a primary that is shutting down waits until its standby
      // has received all changes.
      await end(other, 'SIGINT')
      await end(primary, 'SIGINT')
    },
  }
}

const urlOf = ({ socketDir }: Server, user: string, database = 'gapura'): string =>
  `postgres://${user}@localhost/${database}?host=${encodeURIComponent(socketDir)}`

const conninfo = ({ socketDir }: Server): string => `host=${socketDir} user=postgres application_name=standby`

async function ownDirectory(path: string, user: PostgresUser | undefined): Promise<string> {
  await mkdir(path)
  await chmod(path, 0o700)
  if (user) await chown(path, user.uid, user.gid)
  return path
}

async function withAdmin<Result>(
  server: Server,
  work: (admin: pg.Client) => Promise<Result>,
): Promise<Result> {
  const admin = new pg.Client({ connectionString: urlOf(server, 'postgres', 'postgres') })
  admin.on('error', () => {})
  await admin.connect()
  try {
    return await work(admin)
  } finally {
    await admin.end()
  }
}

async function startServer(
  server: Server,
  { binaries, user }: Cluster,
  settings: Record<string, string>,
): Promise<void> {
  const values: Record<string, string> = {
    unix_socket_directories: server.socketDir,
    listen_addresses: '',
    max_connections: '100',
    shared_buffers: '64MB',
    shared_preload_libraries: 'pg_stat_statements',
    wal_level: 'replica',
    max_wal_senders: '5',
    // The primary must keep enough WAL for the standby while the primary's files are copied.
    wal_keep_size: '512MB',
    // If a standby loses its connection, it reconnects within this time. Until it has reconnected, commits on the
    // primary wait.
    wal_retrieve_retry_interval: '500ms',
    jit: 'off',
    timezone: 'UTC',
    log_timezone: 'UTC',
    ...settings,
  }
  const args = Object.entries(values).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  for (;;) {
    const output = openSync(server.logFile, 'a')
    server.process = spawnAs(
      user,
      'KILL',
      join(binaries, 'postgres'),
      ['-D', server.directory, ...args],
      ['ignore', output, output],
    )
    if (await acceptsConnections(server)) return
    const said = await readFile(server.logFile, 'utf8')
    if (!STILL_IN_USE.test(said.split('\n').slice(-3).join('\n')))
      throw new Error(`PostgreSQL did not start: ${said.slice(-500)}`)
    await pause(5 * LOOK_EVERY_MS)
  }
}

/**
 * Waits until the server accepts connections, even if it is a standby. Returns false if the server exits
 * first.
 */
async function acceptsConnections({ directory, process }: Server): Promise<boolean> {
  while (process?.exitCode === null && process.signalCode === null) {
    const pidFile = await readFile(join(directory, 'postmaster.pid'), 'utf8').catch(() => '')
    const lines = pidFile.split('\n')
    if (Number(lines[0]) === process.pid && /^(ready|standby)/.test(lines[7] ?? '')) return true
    await pause(LOOK_EVERY_MS)
  }
  return false
}

const hasExited = ({ process }: Server): boolean =>
  !process || process.exitCode !== null || process.signalCode !== null

async function end(server: Server, signal: 'SIGKILL' | 'SIGINT'): Promise<void> {
  const { process } = server
  if (!process || hasExited(server)) return
  const exited = once(process, 'exit')
  process.kill(signal)
  await exited
}

/** Replaces the files of `to` with a copy of the files of the running server `from`. */
async function copyFiles(from: Server, to: Server, user: PostgresUser | undefined): Promise<void> {
  await end(to, 'SIGINT')
  await rm(to.directory, { recursive: true, force: true })
  await withAdmin(from, async admin => {
    await admin.query(`select pg_backup_start('standby', true)`)
    // Errors of `cp` are ignored: some files of the running server disappear while they are being copied, and the WAL
    // (write-ahead log) restores their content.
    await new Promise<void>(resolve => {
      execFile('cp', ['-a', from.directory, to.directory], () => resolve())
    })
    const { rows } = await admin.query('select labelfile from pg_backup_stop(false)')
    for (const name of ['postmaster.pid', 'postmaster.opts', 'postgresql.auto.conf'])
      await rm(join(to.directory, name), { force: true })
    for (const name of ['pg_replslot', 'pg_stat_tmp'])
      for (const each of await readdir(join(to.directory, name)))
        await rm(join(to.directory, name, each), { recursive: true })
    const files = {
      backup_label: rows[0].labelfile,
      'standby.signal': '',
      // This file must exist, because PostgreSQL requires it. It is empty, because the standby must not
      // inherit the primary's settings made with `alter system`.
      'postgresql.auto.conf': '',
    }
    for (const [name, text] of Object.entries(files)) {
      await writeFile(join(to.directory, name), text)
      if (user) await chown(join(to.directory, name), user.uid, user.gid)
    }
  })
}
