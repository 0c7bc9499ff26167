// Finds the primary among the servers in a connection URL. All connections of the process with this URL share the
// result. If a connection fails or breaks, the servers are checked again.

import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import type { DatabaseServer, ServersOfUrl } from '../../values/connection-url.ts'
import { closeSocket, setServer } from '../pg-internals.ts'

/** A server that does not respond within this time counts as unavailable. */
const RESPONSE_TIMEOUT_MS = 5_000
/**
 * How long the search for the primary waits for the other servers after one server has responded that it
 * accepts writes. Another server may accept writes, too. Of these servers, the one with the highest timeline
 * number was promoted last.
 */
const OTHERS_RESPOND_WITHIN_MS = 1_000

/**
 * Thrown if no server accepts writes. `code` is the SQLSTATE for a failed connection, so the database counts
 * as unavailable.
 */
export class NoPrimaryError extends Error {
  override name = 'NoPrimaryError'
  readonly code = '08001'
}

type State = { server: DatabaseServer; timeline?: number; problem?: string }

export type PrimaryFinder = {
  find(): Promise<DatabaseServer>
  /**
   * Forgets which database server is the primary (the one that accepts writes), so that the next call to
   * `find` checks all servers again.
   */
  forget(): void
  /** Stores a connection to `server`, so that it can be closed if another server becomes the primary. */
  track(client: pg.Client, server: DatabaseServer): void
  untrack(client: pg.Client): void
}

const finders = new Map<string, PrimaryFinder>()

/** Returns the object that finds the primary server for a connection URL. Each URL has one such object per process. */
export function finderOfUrl(connectionUrl: string, { servers, url }: ServersOfUrl): PrimaryFinder {
  const known = finders.get(connectionUrl) ?? primaryFinder(servers, server => timelineOf(url, server))
  finders.set(connectionUrl, known)
  return known
}

/**
 * Returns an object that finds the primary among the servers. `readTimeline` returns a server's timeline number, or
 * undefined if the server does not accept writes. PostgreSQL increases this number with each promotion. A restarted
 * former primary therefore has a lower number and is never returned.
 */
export function primaryFinder(
  servers: DatabaseServer[],
  readTimeline: (server: DatabaseServer) => Promise<number | undefined>,
): PrimaryFinder {
  const connections = new Map<pg.Client, DatabaseServer>()
  let found: Promise<DatabaseServer> | undefined
  let latestTimeline = 0

  async function stateOf(server: DatabaseServer): Promise<State> {
    try {
      const timeline = await readTimeline(server)
      if (timeline === undefined) return { server, problem: 'does not accept writes' }
      return timeline < latestTimeline
        ? { server, problem: `is a former primary: its timeline is ${timeline}, not ${latestTimeline}` }
        : { server, timeline }
    } catch (error) {
      return { server, problem: (error as Error).message || String((error as { code?: unknown }).code) }
    }
  }

  async function search(): Promise<DatabaseServer> {
    const states: State[] = []
    const asking = servers.map(stateOf).map(async asked => {
      const state = await asked
      states.push(state)
      if (state.timeline === undefined) throw new NoPrimaryError(state.problem)
    })
    // Once a server has responded as the primary, the search waits only `OTHERS_RESPOND_WITHIN_MS` for the other
    // servers, because a server without power never responds.
    const soonAfterFirst = Promise.any(asking).then(() => pause(OTHERS_RESPOND_WITHIN_MS))
    await Promise.race([Promise.allSettled(asking), soonAfterFirst]).catch(() => Promise.allSettled(asking))
    const [primary] = states
      .filter(({ timeline }) => timeline !== undefined)
      .toSorted((a, b) => (b.timeline as number) - (a.timeline as number))
    if (primary?.timeline === undefined)
      throw new NoPrimaryError(
        `no server accepts writes (${servers.map(each => `${nameOf(each)}: ${states.find(({ server }) => server === each)?.problem}`).join('; ')})`,
      )
    latestTimeline = primary.timeline
    for (const [client, server] of connections) if (server !== primary.server) closeSocket(client)
    return primary.server
  }

  return {
    find() {
      found ??= search().catch(error => {
        found = undefined
        throw error
      })
      return found
    },
    forget() {
      found = undefined
    },
    track: (client, server) => void connections.set(client, server),
    untrack: client => void connections.delete(client),
  }
}

const nameOf = ({ host, port }: DatabaseServer): string => `${host}:${port}`

/**
 * Selects the number of the server's timeline, or null if the server does not accept writes. The number is
 * part of the name of the current WAL (write-ahead log) file, which a standby does not have.
 */
const readTimelineSql = `select case
  when pg_is_in_recovery() or current_setting('transaction_read_only') = 'on' then null
  else ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int end as timeline`

async function timelineOf(url: string, server: DatabaseServer): Promise<number | undefined> {
  const client = new pg.Client({ connectionString: url, application_name: 'gapura-find-primary' })
  client.on('error', () => {}) // A connection error is ignored here, because the pending query reports it.
  setServer(client, server)
  let isLate = false
  const late = setTimeout(() => {
    isLate = true
    closeSocket(client)
  }, RESPONSE_TIMEOUT_MS)
  try {
    await client.connect()
    const { rows } = await client.query<{ timeline: number | null }>(readTimelineSql)
    return rows[0]?.timeline ?? undefined
  } catch (error) {
    throw isLate ? new Error(`no response within ${RESPONSE_TIMEOUT_MS / 1_000} s`) : error
  } finally {
    clearTimeout(late)
    void client.end().catch(() => {})
  }
}
