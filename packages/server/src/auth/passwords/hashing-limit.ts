import { fault } from '../../faults/fault.ts'

/**
 * Returns a function that runs at most `most` concurrent calls per key in this process. Further calls throw
 * SERVICE_UNAVAILABLE with a message that starts with `what`, such as `too many passwords are being set`.
 */
export function limitConcurrency(
  most: number,
  what: string,
): <T>(work: () => Promise<T>, key?: string) => Promise<T> {
  const underWay = new Map<string, number>()
  return async (work, key = '') => {
    const others = underWay.get(key) ?? 0
    if (others >= most) throw fault('passwords_at_capacity', { what }, { retryAfterSeconds: 1 })
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
