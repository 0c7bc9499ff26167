// A PostgreSQL server for one fault-injection round that can be killed and restarted. The server is durable, as in
// production, and keeps its data.

import { readFile } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { type Embedded, startEmbedded } from '../../packages/server/src/db/embedded/embedded.ts'

export type Postgres = {
  /** Opens a connection to the server. While the server is down, the connection fails. */
  connect(): Socket
  url(): string
  ownerUrl(): string
  adminUrl(): string
  /**
   * Sends SIGKILL to the postmaster. PostgreSQL's other processes then exit, and the next start recovers from the WAL.
   */
  kill(awayMs: number): Promise<void>
  /** Restarts the server as an operator would: open transactions are rolled back. */
  restart(awayMs: number): Promise<void>
  /** Occupies every connection slot of PostgreSQL. The service's connections are terminated to free their slots. */
  fillConnections(forMs: number): Promise<void>
  lockTables(forMs: number): Promise<void>
  stop(): Promise<void>
}

const REFILL_EVERY_MS = 100
const START_AGAIN_MS = 100
const LOCKED = ['payments', 'provider_callbacks', 'webhook_queue', 'balances']

export async function startPostgres(directory: string): Promise<Postgres> {
  const start = () => startEmbedded({ dataDir: directory, log: () => {} })
  let server: Embedded = await start()

  async function startAgain(awayMs: number): Promise<void> {
    await server.exited
    await pause(awayMs)
    for (;;) {
      try {
        server = await start()
        return
      } catch (error) {
        // The operating system releases the shared memory of a killed server only after a moment, so the start is
        // retried.
        if (!/shared memory|lock file|in use|is running/i.test(String(error))) throw error
        await pause(START_AGAIN_MS)
      }
    }
  }

  return {
    connect: () => connect(`${new URL(server.url).searchParams.get('host')}/.s.PGSQL.5432`),
    url: () => server.url,
    ownerUrl: () => server.ownerUrl,
    adminUrl: () => server.adminUrl.replace('/postgres?', '/gapura?'),
    async kill(awayMs) {
      const pidFile = await readFile(join(directory, 'postgres', 'postmaster.pid'), 'utf8')
      process.kill(Number(pidFile.split('\n', 1)[0]), 'SIGKILL')
      await startAgain(awayMs)
    },
    async restart(awayMs) {
      await server.stop()
      await startAgain(awayMs)
    },
    fillConnections: forMs => fill(server, forMs),
    lockTables: forMs =>
      asAdmin(server, async admin => {
        await admin.query('begin')
        await admin.query(`lock table ${LOCKED.join(', ')} in access exclusive mode`)
        await pause(forMs)
        await admin.query('rollback')
      }),
    stop: () => server.stop(),
  }
}

/** Runs `work` as the superuser, for whom PostgreSQL reserves connections. */
async function asAdmin(server: Embedded, work: (admin: pg.Client) => Promise<void>): Promise<void> {
  const admin = new pg.Client({ connectionString: server.adminUrl.replace('/postgres?', '/gapura?') })
  admin.on('error', () => {})
  try {
    await admin.connect()
    await work(admin)
  } finally {
    await admin.end().catch(() => {})
  }
}

async function fill(server: Embedded, forMs: number): Promise<void> {
  const endsAt = performance.now() + forMs
  const taken: pg.Client[] = []
  try {
    await asAdmin(server, async admin => {
      while (performance.now() < endsAt) {
        await admin.query(
          `select pg_terminate_backend(pid) from pg_stat_activity
           where usename = 'gapura' and application_name <> 'intruder'`,
        )
        await takeAllPlaces(server, taken)
        await pause(REFILL_EVERY_MS)
      }
    })
  } finally {
    await Promise.all(taken.map(client => client.end().catch(() => {})))
  }
}

async function takeAllPlaces(server: Embedded, taken: pg.Client[]): Promise<void> {
  for (;;) {
    const client = new pg.Client({ connectionString: server.url, application_name: 'intruder' })
    client.on('error', () => {})
    try {
      await client.connect()
    } catch {
      return
    }
    taken.push(client)
  }
}
