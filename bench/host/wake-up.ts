// Measures how long this machine takes to wake a sleeping process. On a virtual machine, a sleeping process can take
// ten times as long to respond as a running process. If a benchmark sends few requests, each step of a request wakes a
// process, so the results include this time.

import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { median } from '../measure.ts'
import { startChild } from './child.ts'

/** The median time until a message to another process is answered, in microseconds. */
export type WakeUp = {
  /** Each message is sent immediately after the response to the previous one. */
  awakeUs: number
  /** The processes sleep for 10 ms before each message. */
  asleepUs: number
}

const MESSAGES = 200
const SLEEP_MS = 10

export async function measureWakeUp(): Promise<WakeUp> {
  const child = startChild<object>(join(import.meta.dirname, 'echo.ts'))
  const roundTripsUs = async (sleepMs: number) => {
    const values: number[] = []
    for (let n = 0; n < MESSAGES; n += 1) {
      if (sleepMs > 0) await sleep(sleepMs)
      const sentAt = performance.now()
      child.send({})
      await child.next()
      values.push((performance.now() - sentAt) * 1_000)
    }
    return Math.round(median(values))
  }
  try {
    // The first messages are not counted, because Node has not compiled the code of both processes yet.
    await roundTripsUs(0)
    return { awakeUs: await roundTripsUs(0), asleepUs: await roundTripsUs(SLEEP_MS) }
  } finally {
    await child.stop()
  }
}
