import { GatewayError } from './errors.ts'
import { fairPlaces } from './fair-places.ts'

export type Fairly = <T>(owner: string, work: () => Promise<T>) => Promise<T>

/**
 * Runs at most `all` calls at a time in this process, shared fairly among owners, and at most `own` per owner. An
 * owner above its own limit gets RATE_LIMITED; if too few slots are left, it gets SERVICE_UNAVAILABLE. `what` is the
 * plural noun in the message.
 */
export function fairly({ all, own, what }: { all: number; own: number; what: string }): Fairly {
  const places = fairPlaces(all)
  return async (owner, work) => {
    const bound = places.take(owner, own)
    if (bound === 'own') throw refusal('RATE_LIMITED', `at most ${own} ${what} of yours at a time`)
    if (bound === 'all') throw refusal('SERVICE_UNAVAILABLE', `too many ${what} at a time`)
    try {
      return await work()
    } finally {
      places.free(owner)
    }
  }
}

const refusal = (code: 'RATE_LIMITED' | 'SERVICE_UNAVAILABLE', detail: string) =>
  new GatewayError(code, `${detail}; try again`, { retryAfterSeconds: 1 })
