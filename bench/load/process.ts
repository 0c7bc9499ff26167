// The process that sends requests to the service, or to the minimal reference program (`floor`) with which
// the service is compared.

import { setTimeout as sleep } from 'node:timers/promises'
import { Pool } from 'undici'
import { closed } from './closed.ts'
import type { Load, Told } from './load.ts'
import { open } from './open.ts'
import { payer } from './pay.ts'
import { record } from './record.ts'
import { type Send, sender } from './send.ts'
import { requestsOf } from './traffic.ts'

/**
 * The number of connections for an open load (a load with a fixed request rate). It is large enough that no request
 * waits for a connection.
 */
const OPEN_CONNECTIONS = 512

/** How long to wait for in-flight requests when a load ends. */
const PATIENCE_MS = 30_000

const tell = (told: Told): Promise<void> =>
  new Promise(resolve => process.send?.(told, undefined, undefined, () => resolve()))

async function run(load: Load): Promise<void> {
  const connections = load.kind === 'closed' ? load.connections : OPEN_CONNECTIONS
  const pool = new Pool(load.url, { connections, pipelining: 1 })
  const { traffic } = load
  const send = traffic.kind === 'payments' ? payer(pool, traffic) : sender(pool, requestsOf(traffic))
  const recorded = record()
  const sending =
    load.kind === 'closed' ? closed(send, recorded.add, load.connections) : open(send, recorded, load.rate)
  await sleep(load.warmUpSeconds * 1_000)
  recorded.begin()
  await tell('begun')
  await sleep(load.seconds * 1_000)
  const counted = recorded.end()
  await tell('ended')
  sending.stop()
  await untilAnswered(send)
  await tell({ ...counted, succeeded: recorded.succeeded() })
}

async function untilAnswered(send: Send): Promise<void> {
  const giveUpAt = performance.now() + PATIENCE_MS
  while (send.pending() > 0) {
    if (performance.now() > giveUpAt) throw new Error(`${send.pending()} requests got no response`)
    await sleep(5)
  }
}

process.once('message', load => void run(load as Load))
process.on('disconnect', () => process.exit(0))
process.on('SIGTERM', () => process.exit(0))
