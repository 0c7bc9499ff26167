// Listens on a dedicated connection for configuration changes (migrations/0016_announced_changes.sql).
//
// A connection can be dead for minutes before the client notices, and a pooler may accept LISTEN and deliver nothing.
// So cached values are trusted only while notifications are known to arrive. Two checks prove it:
// - An empty query on the listening connection. PostgreSQL sends its response after all earlier notifications.
// - A notification sent through the pool, which must arrive here. It proves that the pool and the listener are on the
//   same server. It is repeated, because a load balancer may move the pool to another server.

import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import type { Db } from '../db/db.ts'
import { hangUp } from '../db/pg-internals.ts'
import { newId } from '../values/id.ts'
import { deaf, type Hearing } from './cache.ts'

const CHANNEL = 'gapura_changes'

const ASK_EVERY_MS = 250
const ANNOUNCE_EVERY_MS = 10_000
/** The time for which a successful check is valid. It starts when the query of the check is sent. */
const PROVED_FOR_MS = 800
/** A connection that does not respond within this time is closed. */
const PATIENCE_MS = 5_000
const FIRST_PAUSE_MS = 500
const LONGEST_PAUSE_MS = 30_000

export type Changes = { hearing(): Hearing; stop(): Promise<void> }

type Told = {
  changed(kind: string, key: string): void
  /** Called when the listener starts or stops receiving notifications; `reason` says why it stopped. */
  hears(does: boolean, reason?: unknown): void
}

/** A notification sent through the pool that must arrive on the listening connection. */
type Proof = {
  key: string
  announcing: Promise<void>
  announcedAtMs: number
  isAnnounced: boolean
  hasArrived: boolean
}

/**
 * Listens for changes. `url` connects directly to PostgreSQL or to a pooler in session mode. `db` is the pool through
 * which the service makes changes.
 */
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
    let proof: Proof | undefined
    const arrived = Promise.withResolvers<void>()
    client.on('notification', ({ payload = '' }) => {
      const [kind, key] = payload.split(' ')
      if (!kind || !key) return
      if (kind !== 'proof') return told.changed(kind, key)
      if (proof?.key !== key) return
      proof.hasArrived = true
      arrived.resolve()
    })
    await client.connect()
    await client.query(`listen ${CHANNEL}`)
    const sinceMs = performance.now()
    proof = announce()
    // Sends no query until the notification arrives. A pooler in transaction mode would assign a server connection to
    // such a query and could deliver the notification with its response, although it delivers none otherwise.
    await Promise.race([Promise.all([proof.announcing, arrived.promise]), late()])
    for (;;) {
      const { isAnnounced } = proof
      const askedAtMs = performance.now()
      await client.query('select')
      if (isAnnounced && !proof.hasArrived) throw new Error('what is announced does not arrive here any more')
      hearing = { sinceMs, untilMs: askedAtMs + PROVED_FOR_MS }
      tell(true)
      if (askedAtMs >= proof.announcedAtMs + ANNOUNCE_EVERY_MS) proof = announce()
      await rest(ASK_EVERY_MS)
    }
  }

  function announce(): Proof {
    const key = newId()
    const announcing = db.raw('select pg_notify(?, ?)', [CHANNEL, `proof ${key}`]).then(() => {
      proof.isAnnounced = true
    })
    // If the pool is exhausted or the database unavailable, this check says nothing about the listener. A later check
    // will.
    announcing.catch(() => {})
    const proof: Proof = {
      key,
      announcing,
      announcedAtMs: performance.now(),
      isAnnounced: false,
      hasArrived: false,
    }
    return proof
  }

  async function late(): Promise<never> {
    await rest(PATIENCE_MS)
    throw new Error('what is announced does not arrive here; is there a pooler in transaction mode between?')
  }

  async function connect(): Promise<never> {
    const client = new pg.Client({
      connectionString: url,
      application_name: 'gapura-changes',
      connectionTimeoutMillis: PATIENCE_MS,
      query_timeout: PATIENCE_MS,
    })
    client.on('error', () => {}) // the current or next query reports the error
    const stopListening = () => hangUp(client)
    stop.signal.addEventListener('abort', stopListening)
    try {
      return await listen(client)
    } finally {
      stop.signal.removeEventListener('abort', stopListening)
      stopListening()
    }
  }

  async function run(): Promise<void> {
    for (let pauseMs = FIRST_PAUSE_MS; !stop.signal.aborted; ) {
      await connect().catch(reason => stop.signal.aborted || tell(false, reason))
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
