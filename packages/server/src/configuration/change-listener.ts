// Listens for configuration changes on a dedicated connection (migrations/0016_announced_changes.sql). A dead
// connection can go unnoticed for minutes, and a pooler may accept LISTEN but deliver no notification. Cached values
// are therefore trusted only while two checks succeed:
// - The listening connection responds to an empty query. PostgreSQL sends all earlier notifications before this
//   response.
// - A notification sent through the pool arrives. This shows that the pool and the listening connection use the
//   same server. The check is repeated, because a load balancer may move the pool to another server.

import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import type { Db } from '../db/db.ts'
import { closeSocket } from '../db/pg-internals.ts'
import { DatabaseClient } from '../db/primary/database-client.ts'
import { newId } from '../values/id.ts'
import { type ListeningPeriod, notListening } from './cache.ts'

const CHANNEL = 'gapura_changes'

const CHECK_EVERY_MS = 250
const SEND_PROOF_EVERY_MS = 10_000
/** How long a successful connection check is valid, counted from when its query was sent. */
const CHECK_VALID_MS = 800
/**
 * The longest time that the service waits for a response on a listening connection. After this time, the
 * connection is closed.
 */
const RESPONSE_TIMEOUT_MS = 5_000
const FIRST_PAUSE_MS = 500
const MAX_PAUSE_MS = 30_000

export type ChangeListener = { listeningPeriod(): ListeningPeriod; stop(): Promise<void> }

type Handlers = {
  onChange(kind: string, key: string): void
  /**
   * Called when the listener starts or stops receiving notifications. If the listener stopped, `reason` explains why.
   */
  onListening(isListening: boolean, reason?: unknown): void
}

/**
 * A test notification, which shows whether the connection pool and the listening connection use the same server: the
 * pool sends it, and the listening connection must receive it.
 */
type Proof = {
  key: string
  sending: Promise<void>
  startedAtMs: number
  isSent: boolean
  hasArrived: boolean
}

/**
 * Listens for configuration changes. `url` connects directly to PostgreSQL or to a pooler in session mode.
 * `db` is the pool through which the service makes changes.
 */
export function listenForChanges(url: string, db: Db, { onChange, onListening }: Handlers): ChangeListener {
  const stop = new AbortController()
  const sleep = (ms: number) => pause(ms, undefined, { signal: stop.signal })
  let listeningPeriod = notListening
  let lastReported: boolean | undefined

  function report(isListening: boolean, reason?: unknown): void {
    if (lastReported !== isListening) onListening(isListening, reason)
    lastReported = isListening
  }

  async function listen(client: pg.Client): Promise<never> {
    let proof: Proof | undefined
    const arrived = Promise.withResolvers<void>()
    client.on('notification', ({ payload = '' }) => {
      const [kind, key] = payload.split(' ')
      if (!kind || !key) return
      if (kind !== 'proof') return onChange(kind, key)
      if (proof?.key !== key) return
      proof.hasArrived = true
      arrived.resolve()
    })
    await client.connect()
    await client.query(`listen ${CHANNEL}`)
    const sinceMs = performance.now()
    proof = sendProof()
    // Send no query until the test notification arrives. Some faulty poolers deliver notifications only with
    // the response to a query, so a query would hide this fault.
    await Promise.race([Promise.all([proof.sending, arrived.promise]), responseTimeout()])
    for (;;) {
      const { isSent } = proof
      const checkedAtMs = performance.now()
      await client.query('select')
      if (isSent && !proof.hasArrived) throw new Error('notifications no longer arrive on this connection')
      listeningPeriod = { sinceMs, untilMs: checkedAtMs + CHECK_VALID_MS }
      report(true)
      if (checkedAtMs >= proof.startedAtMs + SEND_PROOF_EVERY_MS) proof = sendProof()
      await sleep(CHECK_EVERY_MS)
    }
  }

  function sendProof(): Proof {
    const key = newId()
    const sending = db.raw('select pg_notify(?, ?)', [CHANNEL, `proof ${key}`]).then(() => {
      proof.isSent = true
    })
    // Sending fails if the pool is exhausted or the database is unavailable. A missing notification then
    // proves nothing, so the check is repeated later.
    sending.catch(() => {})
    const proof: Proof = {
      key,
      sending,
      startedAtMs: performance.now(),
      isSent: false,
      hasArrived: false,
    }
    return proof
  }

  async function responseTimeout(): Promise<never> {
    await sleep(RESPONSE_TIMEOUT_MS)
    throw new Error(
      'notifications do not arrive on this connection; if it uses a pooler in transaction mode, set GAPURA_DIRECT_DATABASE_URL',
    )
  }

  async function connect(): Promise<never> {
    const client = new DatabaseClient({
      connectionString: url,
      application_name: 'gapura-changes',
      connectionTimeoutMillis: RESPONSE_TIMEOUT_MS,
      query_timeout: RESPONSE_TIMEOUT_MS,
    })
    client.on('error', () => {}) // A failed connection is reported by the running query or, if none is running, by the next query.
    const disconnect = () => closeSocket(client)
    stop.signal.addEventListener('abort', disconnect)
    try {
      return await listen(client)
    } finally {
      stop.signal.removeEventListener('abort', disconnect)
      disconnect()
    }
  }

  async function run(): Promise<void> {
    for (let pauseMs = FIRST_PAUSE_MS; !stop.signal.aborted; ) {
      await connect().catch(reason => stop.signal.aborted || report(false, reason))
      pauseMs = listeningPeriod === notListening ? Math.min(pauseMs * 2, MAX_PAUSE_MS) : FIRST_PAUSE_MS
      listeningPeriod = notListening
      await sleep(pauseMs).catch(() => {})
    }
  }
  const running = run()

  return {
    listeningPeriod: () => listeningPeriod,
    async stop() {
      stop.abort()
      await running
    },
  }
}
