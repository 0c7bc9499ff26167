// Measures how long this machine takes to wake a sleeping process. On a virtual machine, a process that sleeps for some
// milliseconds can take ten times as long to respond as one that was just running. This time is part of every benchmark
// with few requests, because each step of a request then wakes another process.

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
