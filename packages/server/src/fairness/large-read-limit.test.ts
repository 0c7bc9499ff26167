import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { largeReadLimit, limitWholeList, type Reader } from './large-read-limit.ts'

const bounds = {
  bytesPerSecond: 1_000_000,
  burst: 1_000,
  maxWaiting: 2,
  unreceived: { all: 100_000, own: 10_000 },
  small: 100,
}
const refused = { code: 'RATE_LIMITED', retryAfterSeconds: 1 }
const atCapacity = {
  code: 'SERVICE_UNAVAILABLE',
  fault: 'responses_at_capacity',
  retryAfterSeconds: 1,
}

// Stops the clock. A read that must wait therefore cannot start until the test makes another read.
beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }))
afterEach(() => void vi.useRealTimers())

/** Returns a simulated client that receives the responses to its requests only when the test calls `take`. */
function caller(owner: string) {
  const taking: (() => void)[] = []
  const reader: Reader = { owner, onReceived: run => void taking.push(run) }
  return {
    reader,
    take: () => {
      for (const run of taking.splice(0)) run()
    },
  }
}
const of = (bytes: number) => async () => ({ bytes })

test("after a burst, an owner's large reads run one at a time, without delaying other owners", async () => {
  const read = largeReadLimit({ ...bounds, unreceived: { all: 1_000_000, own: 500_000 } })
  const { reader } = caller('a')
  await read(reader, of(60_000))
  let underWay = 0
  const all = [1, 2].map(() =>
    read(reader, async () => {
      expect(++underWay).toBe(1)
      await new Promise(resolve => setTimeout(resolve, 5))
      underWay--
      return { bytes: 60_000 }
    }),
  )
  await expect(read(reader, of(1))).rejects.toMatchObject(refused)
  expect(await read(caller('b').reader, of(1))).toEqual({ bytes: 1 })
  await Promise.all(all)
})

test('a client that stops reading gets no further responses, without affecting other owners (such as tenants)', async () => {
  const read = largeReadLimit({ ...bounds, burst: 100_000 })
  const { reader, take } = caller('a')
  await read(reader, of(6_000))
  await read(reader, of(4_000))
  await expect(read(reader, of(100))).rejects.toMatchObject(refused)
  expect(await read(caller('b').reader, of(5_000))).toEqual({ bytes: 5_000 })
  take()
  expect(await read(reader, of(100))).toEqual({ bytes: 100 })
})

test("a large read gets 503 if other owners' unreceived responses use up the total limit", async () => {
  const read = largeReadLimit({ ...bounds, burst: 100_000, unreceived: { all: 10_000, own: 5_000 } })
  const [a, b] = [caller('a'), caller('b')]
  await read(a.reader, of(5_000))
  await read(b.reader, of(4_000))
  // The size of a response is known only after the response was read, so this response is rejected after the
  // read.
  await expect(read(caller('c').reader, of(2_000))).rejects.toMatchObject(atCapacity)
  await read(caller('d').reader, of(950))
  // Responses that clients have not received yet use up the limit, so even the smallest response that counts
  // as large is rejected.
  await expect(read(caller('c').reader, of(100))).rejects.toMatchObject(atCapacity)
  await expect(read(a.reader, of(100))).rejects.toMatchObject({ ...refused, fault: 'responses_not_received' })
  b.take()
  expect(await read(caller('c').reader, of(2_000))).toEqual({ bytes: 2_000 })
})

test('small reads do not count toward the limits on large reads, and failed large reads block nothing', async () => {
  const read = largeReadLimit({ ...bounds, burst: 0 })
  const { reader } = caller('a')
  for (let n = 0; n < 1_000; n++) await read(reader, of(99))
  await expect(read(reader, () => Promise.reject(new Error('failed')))).rejects.toThrow('failed')
  await read(reader, of(200))
  const waiting = [read(reader, () => Promise.reject(new Error('failed'))), read(reader, of(200))]
  await expect(waiting[0]).rejects.toThrow('failed')
  expect(await waiting[1]).toEqual({ bytes: 200 })
})

test('a list without pages counts toward the limits for large reads', async () => {
  const [list, small] = [Array.from({ length: 17_000 }, () => 'row'), ['row']]
  const ctx = { caller: { tenantId: 'tenant of the list' }, onReceived: () => {} }
  expect(await limitWholeList(ctx, 1_024, async () => small)).toBe(small)
  await expect(limitWholeList(ctx, 1_024, async () => list)).rejects.toMatchObject(refused)
})
