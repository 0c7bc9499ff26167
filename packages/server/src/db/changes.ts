// Hears on a connection of its own what changed in the configuration (migrations/0016_announced_changes.sql).
//
// A connection can be dead for minutes before anyone is told, and a pooler may take LISTEN and deliver nothing. So
// nothing is believed that was not proved a moment ago: once, that what another connection announces arrives here;
// from then on by questions on this connection, whose answers PostgreSQL sends behind everything announced before.

import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { newId } from '../id.ts'
import { deaf, type Hearing } from '../kept.ts'
import type { Db } from './db.ts'

const CHANNEL = 'gapura_changes'

const ASK_EVERY_MS = 250
/** How long a proof holds, from when it was asked for. */
const PROVED_FOR_MS = 800
/** A connection without an answer for that long is given up. */
const PATIENCE_MS = 5_000
const FIRST_PAUSE_MS = 500
const LONGEST_PAUSE_MS = 30_000

export type Changes = { hearing(): Hearing; stop(): Promise<void> }

type Told = {
  changed(kind: string, key: string): void
  /** Told when it becomes another, with the reason where it does not. */
  hears(does: boolean, reason?: unknown): void
}

/** url: of PostgreSQL itself, or of a pooler that gives a client a connection to keep. db: where changes are made. */
export function hearChanges(url: string, db: Db, told: Told): Changes {
  const stop = new AbortController()
  const rest = (ms: number) => pause(ms, undefined, { signal: stop.signal })
  let hearing = deaf
  let toldLast: boolean | undefined

  function tell(does: boolean, reason?: unknown): void {
    if (toldLast !== does) told.hears(does, reason)
    toldLast = does
  }

  async function listen(client: pg.Client): Promise<never> {
    client.on('notification', ({ payload = '' }) => {
      const [kind, key] = payload.split(' ')
      if (kind && key && kind !== 'proof') told.changed(kind, key)
    })
    await client.connect()
    await client.query(`listen ${CHANNEL}`)
    const sinceMs = performance.now()
    await prove(client)
    for (;;) {
      const askedAtMs = performance.now()
      await client.query('select')
      hearing = { sinceMs, untilMs: askedAtMs + PROVED_FOR_MS }
      tell(true)
      await rest(ASK_EVERY_MS)
    }
  }

  async function prove(client: pg.Client): Promise<void> {
    const proof = `proof ${newId()}`
    const arrived = new Promise<void>(resolve => {
      client.on('notification', ({ payload }) => payload === proof && resolve())
    })
    const announced = db.raw('select pg_notify(?, ?)', [CHANNEL, proof])
    const late = rest(PATIENCE_MS).then(() => {
      throw new Error(
        'what is announced does not arrive here; is there a pooler in transaction mode between?',
      )
    })
    await Promise.race([Promise.all([announced, arrived]), late])
  }

  async function run(): Promise<void> {
    for (let pauseMs = FIRST_PAUSE_MS; !stop.signal.aborted; ) {
      const client = new pg.Client({
        connectionString: url,
        application_name: 'gapura-changes',
        connectionTimeoutMillis: PATIENCE_MS,
        query_timeout: PATIENCE_MS,
      })
      client.on('error', () => {}) // told by the query under way, or the next
      // Without a farewell: there may be nobody to take it.
      const hangUp = () => client.connection.stream.destroy()
      stop.signal.addEventListener('abort', hangUp)
      await listen(client).catch(reason => stop.signal.aborted || tell(false, reason))
      stop.signal.removeEventListener('abort', hangUp)
      hangUp()
      pauseMs = hearing === deaf ? Math.min(pauseMs * 2, LONGEST_PAUSE_MS) : FIRST_PAUSE_MS
      hearing = deaf
      await rest(pauseMs).catch(() => {})
    }
  }
  const running = run()

  return {
    hearing: () => hearing,
    async stop() {
      stop.abort()
      await running
    },
  }
}
