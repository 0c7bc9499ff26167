import { GatewayError } from './errors.ts'

/** Runs so many at a time in this process, and refuses what comes beyond. what: many of them are under way. */
export function atMost(most: number, what: string): <T>(work: () => Promise<T>) => Promise<T> {
  let underWay = 0
  return async work => {
    if (underWay >= most)
      throw new GatewayError('SERVICE_UNAVAILABLE', `${what}; try again`, { retryAfterSeconds: 1 })
    underWay += 1
    try {
      return await work()
    } finally {
      underWay -= 1
    }
  }
}
