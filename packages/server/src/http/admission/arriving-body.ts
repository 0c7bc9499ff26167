// Reads request bodies that arrive after their headers. The first byte must arrive within two seconds, and the whole
// body within ten seconds. The number of arriving bodies is limited in total and per sender. A sender that exceeds its
// own limit loses its oldest request. Above the total limit, the sender with the most arriving bodies loses its oldest
// request (bounded-set.ts).

import type { IncomingMessage } from 'node:http'
import { finished } from 'node:stream'
import { boundedSet } from '../../fairness/bounded-set.ts'
import { eventLoopLimit } from '../../fairness/event-loop-limit.ts'
import type { ExceededLimit } from '../../fairness/fair-slots.ts'
import { GatewayError } from '../../faults/errors.ts'
import { detailsOf, fault } from '../../faults/fault.ts'
import { bytesOf, MAX_BODY_BYTES, tooLarge, UnreadBodyError } from './body-size.ts'

const TICK_MS = 250
const FIRST_BYTE_MS = 2_000
/**
 * The time limit for receiving a whole request body. To meet it, a 256 KiB body must arrive at about 0.2 megabits
 * per second or faster.
 */
const WHOLE_MS = 10_000
/**
 * The maximum number of requests that are ended in one turn of the event loop because their bodies arrive too slowly.
 * Hundreds of requests can exceed the time limit together, and ending all of them at once would delay other requests.
 */
const ENDED_PER_TURN = 8

type Arriving = {
  chunks: Buffer[]
  received: number
  /** The size from the Content-Length header, or the maximum size if the header is missing. */
  expected: number
  ticks: number
  end(error?: unknown): void
}

export type ArrivingBodies = { read(request: IncomingMessage, sender: string): Promise<Buffer> }

export function arrivingBodies(
  limits: { maxSize: number; maxPerOwner: number },
  displaced: () => void,
): ArrivingBodies {
  const bodies = boundedSet<Arriving>({ ...limits, evicts: 'oldest' })
  const turns = eventLoopLimit(ENDED_PER_TURN)
  let timer: NodeJS.Timeout | undefined

  // Counts timer ticks instead of measuring time. While this process stalls, it counts no ticks, so a client does not
  // look slow because of the process's own delay.
  function tick(): void {
    for (const body of [...bodies.members()]) {
      body.ticks++
      if (isTooSlow(body)) void endInTurn(body)
    }
  }

  async function endInTurn(body: Arriving): Promise<void> {
    await turns.next('slow bodies')
    body.end(tooSlow())
  }

  return {
    read: (request, sender) =>
      new Promise((resolve, reject) => {
        const body: Arriving = { chunks: [], received: 0, expected: bytesOf(request), ticks: 0, end }
        const take = (chunk: Buffer) => {
          body.received += chunk.length
          body.chunks.push(chunk)
          if (body.received > MAX_BODY_BYTES) end(tooLarge())
        }
        function end(error?: unknown): void {
          bodies.delete(sender, body)
          if (bodies.size() === 0) {
            clearInterval(timer)
            timer = undefined
          }
          forget()
          request.off('data', take)
          if (error instanceof GatewayError) reject(error)
          else if (error) reject(fault('body_ended_early', {}, { field: 'body', cause: error }))
          else resolve(body.chunks.length === 1 ? (body.chunks[0] as Buffer) : Buffer.concat(body.chunks))
        }
        const forget = finished(request, { writable: false }, end)
        request.on('data', take)
        const eviction = bodies.add(sender, body)
        timer ??= setInterval(tick, TICK_MS)
        if (!eviction) return
        displaced()
        eviction.member.end(crowded(eviction.exceeded))
      }),
  }
}

export function isTooSlow({
  received,
  expected,
  ticks,
}: Pick<Arriving, 'received' | 'expected' | 'ticks'>): boolean {
  const elapsedMs = ticks * TICK_MS
  if (elapsedMs < FIRST_BYTE_MS) return false
  const due = Math.min(1, (elapsedMs - FIRST_BYTE_MS) / (WHOLE_MS - FIRST_BYTE_MS))
  return elapsedMs >= WHOLE_MS || received === 0 || received < expected * due
}

const tooSlow = () =>
  new UnreadBodyError(
    detailsOf(
      'body_too_slow',
      { firstSeconds: FIRST_BYTE_MS / 1_000, wholeSeconds: WHOLE_MS / 1_000 },
      { field: 'body' },
    ),
  )

const crowded = (exceeded: ExceededLimit) =>
  new UnreadBodyError(
    detailsOf(exceeded === 'own' ? 'own_bodies_waiting' : 'server_at_capacity', {}, { retryAfterSeconds: 1 }),
  )
