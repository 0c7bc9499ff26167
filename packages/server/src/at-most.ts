import { GatewayError } from './errors.ts'

/**
 * Runs so many at a time in this process, of each key, and refuses what comes beyond with SERVICE_UNAVAILABLE. what: many
 * of them are under way.
 */
export function atMost(most: number, what: string): <T>(work: () => Promise<T>, key?: string) => Promise<T> {
  const underWay = new Map<string, number>()
  return async (work, key = '') => {
    const others = underWay.get(key) ?? 0
    if (others >= most)
      throw new GatewayError('SERVICE_UNAVAILABLE', `${what}; try again`, { retryAfterSeconds: 1 })
    underWay.set(key, others + 1)
    try {
      return await work()
    } finally {
      const left = (underWay.get(key) as number) - 1
      if (left > 0) underWay.set(key, left)
      else underWay.delete(key)
    }
  }
}
