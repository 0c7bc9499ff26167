// Starts one PostgreSQL server for the whole run. The server is embedded, durable, and tuned for this machine.

import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { startEmbedded } from '../../packages/server/src/db/embedded/embedded.ts'
import { cpuOfTree } from './usage.ts'

/**
 * The settings of the benchmarks' PostgreSQL server. fsync, full_page_writes and synchronous_commit are not in
 * this list, so they stay on, which is PostgreSQL's default.
 */
export const settings = {
  shared_buffers: '1GB',
  max_wal_size: '8GB',
  checkpoint_timeout: '15min',
  max_connections: '300',
}

const interrupts = ['SIGINT', 'SIGTERM'] as const

export type Postgres = {
  version: string
  urlOf(database: string): string
  /** Creates an empty database owned by the database role in the URL from `urlOf`. */
  createDatabase(name: string): Promise<void>
  /** Runs an SQL statement as the PostgreSQL superuser. */
  admin(sql: string): Promise<void>
  /** Returns the total CPU time of all PostgreSQL server processes, in seconds. */
  cpu(): Promise<number>
  /** Returns the number of bytes of write-ahead log (WAL) the PostgreSQL server has written since it was created. */
  walBytes(): Promise<number>
  stop(): Promise<void>
}

/**
 * Starts the PostgreSQL server. The data in `dataDir` is kept for the next run. Without `dataDir`, the data is
 * deleted at the end, or if a signal interrupts the run. The data can take more than 30 GB.
 */
export async function startPostgres(dataDir?: string): Promise<Postgres> {
  const directory = dataDir ?? (await mkdtemp(join(tmpdir(), 'gapura-bench-')))
  const starting = startEmbedded({
    dataDir: directory,
    settings,
    log: line => process.stderr.write(`${line}\n`),
  })
  const removeData = async () => {
    await (await starting).stop()
    if (!dataDir) await rm(directory, { recursive: true, force: true })
  }
  const interrupted = () => {
    // A signal that interrupts the benchmarks also stops PostgreSQL, which then closes open connections. The resulting
    // errors are ignored, because they must not end the process before the data is removed.
    process.on('uncaughtException', () => {})
    void removeData().finally(() => process.exit(1))
  }
  for (const signal of interrupts) process.once(signal, interrupted)
  const embedded = await starting
  const pid = Number(
    (await readFile(join(directory, 'postgres', 'postmaster.pid'), 'utf8')).split('\n', 1)[0],
  )
  const admin = new pg.Client({ connectionString: embedded.adminUrl })
  await admin.connect()
  const { rows } = await admin.query<{ server_version: string }>('show server_version')
  return {
    version: rows[0]?.server_version ?? '',
    urlOf: database => embedded.url.replace('/gapura?', `/${database}?`),
    createDatabase: async name => void (await admin.query(`create database ${name} owner gapura`)),
    admin: async sql => void (await admin.query(sql)),
    cpu: () => cpuOfTree(pid),
    async walBytes() {
      const { rows } = await admin.query<{ bytes: string }>(
        `select pg_current_wal_insert_lsn() - '0/0' as bytes`,
      )
      return Number(rows[0]?.bytes)
    },
    async stop() {
      for (const signal of interrupts) process.off(signal, interrupted)
      await admin.end()
      await removeData()
    },
  }
}
