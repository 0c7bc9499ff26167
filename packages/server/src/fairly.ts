import { GatewayError } from './errors.ts'
import { fairPlaces } from './fair-places.ts'

export type Fairly = <T>(owner: string, work: () => Promise<T>) => Promise<T>

/**
 * Runs so many at a time in this process, shared fairly, and of one owner at most `own`. Beyond its own bound an owner is
 * refused with RATE_LIMITED, and with SERVICE_UNAVAILABLE where too few places are left. what: their noun, in the plural.
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
