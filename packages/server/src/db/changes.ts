// Hears on a connection of its own what changed in the configuration (migrations/0016_announced_changes.sql).
//
// A connection can be dead for minutes before anyone is told, and a pooler may take LISTEN and deliver nothing. So
// nothing is believed that was not proved a moment ago: by questions on this connection, whose answers PostgreSQL sends
// behind everything announced before. That they are asked of the server on which changes are made is proved first, and
// time and again, since a balancer may lead the pool elsewhere: what is announced through the pool arrives here.

import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { newId } from '../id.ts'
import { deaf, type Hearing } from '../kept.ts'
import type { Db } from './db.ts'

const CHANNEL = 'gapura_changes'

const ASK_EVERY_MS = 250
const ANNOUNCE_EVERY_MS = 10_000
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

/** Announced through the pool, to arrive where changes are heard. */
type Proof = {
  key: string
  announcing: Promise<void>
  announcedAtMs: number
  isAnnounced: boolean
  hasArrived: boolean
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
    // Nothing is asked meanwhile: a pooler might lend the connection for the question, and pass on what arrives then.
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
    // A pool that is exhausted or away says nothing about who is heard. Another proof follows.
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
    client.on('error', () => {}) // told by the query under way, or the next
    // Without a farewell: there may be nobody to take it.
    const hangUp = () => client.connection.stream.destroy()
    stop.signal.addEventListener('abort', hangUp)
    try {
      return await listen(client)
    } finally {
      stop.signal.removeEventListener('abort', hangUp)
      hangUp()
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
