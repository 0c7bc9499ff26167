// Sends requests at a constant rate and returns the time of each response. All processes read the same clock, so their
// times can be compared.

import { Pool } from 'undici'
import { answer, nowMs, type Partner, startPartner } from '../host/partner.ts'
import { open } from './open.ts'
import { sender } from './send.ts'
import { requestsOf, type Traffic } from './traffic.ts'

type Timed = { url: string; traffic: Traffic; rate: number; count: number }
/** The times at which the responses arrived, in the order the requests were sent. */
type Answered = { atMs: number[]; late: number }
type Answers = { send(timed: Timed): Promise<Answered> }

const CONNECTIONS = 128

export const startTimedLoad = (): Promise<Partner<Answers>> => startPartner<Answers>(import.meta.filename)

async function send({ url, traffic, rate, count }: Timed): Promise<Answered> {
  const pool = new Pool(url, { connections: CONNECTIONS })
  const each = sender(pool, requestsOf(traffic))
  const atMs = Array.from({ length: count }, () => Number.NaN)
  let late = 0
  let begun = 0
  let ended = 0
  let refused = 0
  await new Promise<void>(resolve => {
    const counted = {
      add: () => {},
      addLate: () => {
        late += 1
      },
    }
    const sending = open(
      {
        pending: () => begun - ended,
        next: done => {
          const place = begun++
          if (place >= count) return
          each.next(status => {
            atMs[place] = nowMs()
            if (status !== 200) refused += 1
            done(status)
            if (++ended === count) {
              sending.stop()
              resolve()
            }
          })
        },
      },
      counted,
      rate,
    )
  })
  await pool.close()
  if (refused > 0) throw new Error(`${refused} of ${count} requests failed`)
  return { atMs, late }
}

if (process.argv[1] === import.meta.filename) answer({ send } satisfies Answers)
