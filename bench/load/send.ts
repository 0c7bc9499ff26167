import type { Pool } from 'undici'
import type { Request } from './traffic.ts'

export type Send = {
  /**
   * Sends the next request and passes its HTTP status to `done`. The status is 0 if there was no response.
   */
  next(done: (status: number) => void): void
  /** Returns the number of requests without a response so far. */
  pending(): number
}

/**
 * Creates a sender. It uses undici's `dispatch`, because the overhead of `fetch` would leave less CPU time for the
 * measured code.
 */
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
