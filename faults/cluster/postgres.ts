// PostgreSQL for one fault-injection round: a primary and, optionally, a synchronous standby. Both are durable, as in
// production.

import { connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import {
  type PostgresServers,
  startPostgresServers,
} from '../../packages/server/test/support/postgres-servers.ts'
import { corruptPage } from './corrupt-page.ts'
import { fillDisk, mountSmallDisk } from './small-disk.ts'

export type Postgres = {
  /**
   * Functions that each open a connection to one PostgreSQL server. While the server is down, the connection
   * fails.
   */
  connect: (() => Socket)[]
  url(): string
  ownerUrl(): string
  adminUrl(): string
  /**
   * Sends SIGKILL to the postmaster. PostgreSQL's other processes then exit, and the next start recovers from the WAL.
   */
  kill(awayMs: number): Promise<void>
  /** Restarts the PostgreSQL server as an operator would. Open transactions are rolled back. */
  restart(awayMs: number): Promise<void>
  /**
   * Kills the primary, waits `awayMs` milliseconds, promotes the standby, and makes the former primary the
   * new standby.
   */
  failOver(awayMs: number): Promise<void>
  /**
   * Damages a page of a table on the primary's disk. After `forMs` milliseconds, fails over to the standby, whose copy
   * of the page is undamaged.
   */
  corruptPage(forMs: number, turn: number): Promise<void>
  fillDisk(forMs: number): Promise<void>
  /** Occupies every PostgreSQL connection slot. The service's connections are terminated to free their slots. */
  fillConnections(forMs: number): Promise<void>
  lockTables(forMs: number): Promise<void>
  /**
   * For each standby that was promoted to primary, the time when it began to accept writes, measured with
   * `performance.now()`.
   */
  promotions: readonly number[]
  stop(): Promise<void>
}

export type PostgresOptions = {
  /** Whether the primary has a synchronous standby. */
  standby: boolean
  /**
   * Whether the database files are on a file system of limited size, so that a fault can fill it. Only root on
   * Linux can create such a file system.
   */
  smallDisk: boolean
  /** How many payments the database must be able to store if its file system has a limited size. */
  payments: number
}

const REFILL_EVERY_MS = 100
const LOCKED = ['payments', 'provider_callbacks', 'webhook_queue', 'balances']

export async function startPostgres(
  directory: string,
  { standby, smallDisk, payments }: PostgresOptions,
): Promise<Postgres> {
  const unmount = smallDisk ? await mountSmallDisk(directory, payments) : undefined
  const servers = await startPostgresServers(directory, {
    standby,
    // The small disk has little space for the WAL.
    settings: smallDisk ? { wal_keep_size: '64MB', max_wal_size: '96MB' } : {},
  })
  const promotions: number[] = []

  async function failOver(awayMs: number): Promise<void> {
    await servers.kill()
    await pause(awayMs)
    await servers.promote()
    promotions.push(performance.now())
    await servers.addStandby()
  }

  return {
    connect: servers.socketDirs.map(socketDir => () => connect(`${socketDir}/.s.PGSQL.5432`)),
    url: () => servers.url('gapura'),
    ownerUrl: () => servers.url('gapura_owner'),
    adminUrl: () => servers.url('postgres'),
    promotions,
    async kill(awayMs) {
      await servers.kill()
      await pause(awayMs)
      await servers.start()
    },
    async restart(awayMs) {
      await servers.shutDown()
      await pause(awayMs)
      await servers.start()
    },
    failOver,
    async corruptPage(forMs, turn) {
      await corruptPage(servers, turn)
      await pause(forMs)
      await failOver(0)
    },
    async fillDisk(forMs) {
      if (!unmount) throw new Error('only root on Linux can mount a file system of limited size')
      await fillDisk(directory, forMs, servers)
    },
    fillConnections: forMs => fill(servers, forMs),
    lockTables: forMs =>
      asAdmin(servers, async admin => {
        await admin.query('begin')
        await admin.query(`lock table ${LOCKED.join(', ')} in access exclusive mode`)
        await pause(forMs)
        await admin.query('rollback')
      }),
    async stop() {
      await servers.stop()
      await unmount?.()
    },
  }
}

/**
 * Runs `work` as the superuser. PostgreSQL reserves connections for the superuser, so this works even if all
 * other connections are in use.
 */
async function asAdmin(servers: PostgresServers, work: (admin: pg.Client) => Promise<void>): Promise<void> {
  const admin = new pg.Client({ connectionString: servers.url('postgres') })
  admin.on('error', () => {})
  try {
    await admin.connect()
    await work(admin)
  } finally {
    await admin.end().catch(() => {})
  }
}

async function fill(servers: PostgresServers, forMs: number): Promise<void> {
  const endsAt = performance.now() + forMs
  const taken: pg.Client[] = []
  try {
    await asAdmin(servers, async admin => {
      while (performance.now() < endsAt) {
        await admin.query(
          `select pg_terminate_backend(pid) from pg_stat_activity
           where usename = 'gapura' and application_name <> 'intruder'`,
        )
        await takeAllPlaces(servers, taken)
        await pause(REFILL_EVERY_MS)
      }
    })
  } finally {
    await Promise.all(taken.map(client => client.end().catch(() => {})))
  }
}

async function takeAllPlaces(servers: PostgresServers, taken: pg.Client[]): Promise<void> {
  for (;;) {
    const client = new pg.Client({ connectionString: servers.url('gapura'), application_name: 'intruder' })
    client.on('error', () => {})
    try {
      await client.connect()
    } catch {
      return
    }
    taken.push(client)
  }
}
