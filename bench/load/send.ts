import type { Pool } from 'undici'
import type { Request } from './traffic.ts'

export type Send = {
  /** The next request; status 0: no answer came. */
  next(done: (status: number) => void): void
  /** How many wait for their answer. */
  pending(): number
}

/** undici's own `dispatch`: what `fetch` does besides would take the cores from what is measured. */
export function sender(pool: Pool, nextRequest: () => Request): Send {
  let pending = 0
  return {
    pending: () => pending,
    next(done) {
      let status = 0
      pending += 1
      const settle = (answered: number): void => {
        pending -= 1
        done(answered)
      }
      pool.dispatch(nextRequest(), {
        onRequestStart() {},
        onResponseStart(_controller, statusCode) {
          status = statusCode
        },
        onResponseData() {},
        onResponseEnd() {
          settle(status)
        },
        onResponseError() {
          settle(0)
        },
      })
    },
  }
}
