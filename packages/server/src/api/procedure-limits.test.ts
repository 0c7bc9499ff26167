import type { AnyTRPCProcedure } from '@trpc/server'
import { beforeEach, expect, test, vi } from 'vitest'
import { customerRouter } from '../customers/customer.router.ts'
import { callProcedure } from './call-procedure.ts'
import type { Context } from './context.ts'
import { publicProcedure, userProcedure } from './trpc.ts'

// Timers are simulated, because a slow machine could exceed the five seconds after which waiting calls are
// rejected.
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  return () => vi.useRealTimers()
})

/** Creates calls that have a name. Each call keeps running until the test ends it by its name. */
function namedWork() {
  const started: string[] = []
  const ends = new Map<string, () => void>()
  const run = async (name: string) => {
    started.push(name)
    await new Promise<void>(resolve => ends.set(name, resolve))
  }
  const endAll = () => {
    for (const end of ends.values()) end()
  }
  return { started, run, endAll, end: (name: string) => ends.get(name)?.() }
}

const call = (
  procedure: AnyTRPCProcedure,
  path: string,
  ctx: object,
  { signal, input }: { signal?: AbortSignal; input?: unknown } = {},
) =>
  callProcedure(procedure, {
    ...{
      path,
      type: procedure._def.type,
      getRawInput: async () => input,
      signal,
      batchIndex: 0,
    },
    ctx: { track: (procedure: Promise<unknown>) => procedure, ...ctx } as Context,
  })

const by = (
  tenantId: string,
  userId: string,
  { role = 'client', partnerId = null }: { role?: string; partnerId?: string | null } = {},
) => ({
  caller: { kind: 'user', role, permissions: ['viewer'], userId, tenantId, partnerId },
})

test('at most four unauthenticated calls run at a time from one IP address, without delaying other addresses', async () => {
  const { started, run, end, endAll } = namedWork()
  const procedure = publicProcedure.mutation(({ path }) => run(path))
  const from = (source: string) => ({ source: () => source })
  const calls = ['a1', 'a2', 'a3', 'a4', 'a5'].map(path => call(procedure, path, from('203.0.113.1')))
  calls.push(call(procedure, 'b1', from('203.0.113.2')))
  await expect.poll(() => started).toEqual(['a1', 'a2', 'a3', 'a4', 'b1'])
  end('a2')
  await calls[1]
  await expect.poll(() => started.at(-1)).toBe('a5')
  endAll()
  await Promise.all(calls)
})

test('at most four changes by one Client’s users run at a time, without delaying its reads', async () => {
  const { started, run, end, endAll } = namedWork()
  const base = userProcedure({ permission: 'viewer' })
  const change = base.mutation(({ path }) => run(path))
  const read = base.query(({ path }) => run(path))
  const calls = ['a1', 'a2', 'a3', 'a4', 'a5'].map(path => call(change, path, by('a', path)))
  calls.push(call(read, 'a read', by('a', 'a1')), call(change, 'b1', by('b', 'b1')))
  await expect.poll(() => started).toEqual(['a1', 'a2', 'a3', 'a4', 'a read', 'b1'])
  end('a3')
  await calls[2]
  await expect.poll(() => started.at(-1)).toBe('a5')
  endAll()
  await Promise.all(calls)
})

test('at most two changes by one user run at a time, without delaying the tenant’s other users', async () => {
  const { started, run, end, endAll } = namedWork()
  const change = userProcedure({ permission: 'viewer' }).mutation(({ path }) => run(path))
  const calls = ['1', '2', '3', '4', '5', '6'].map(path => call(change, path, by('e', 'user')))
  calls.push(call(change, 'admin', by('e', 'admin')))
  await expect.poll(() => started).toEqual(['1', '2', 'admin'])
  for (const name of ['1', '2', '3', '4']) {
    end(name)
    await calls[Number(name) - 1]
    await expect.poll(() => started).toContain(String(Number(name) + 2))
  }
  endAll()
  await Promise.all(calls)
})

test("at most eight changes by a Partner's Clients run at a time, without delaying the Partner", async () => {
  const { started, run, end, endAll } = namedWork()
  const change = userProcedure({ permission: 'viewer' }).mutation(({ path }) => run(path))
  const names = ['f', 'g', 'h'].flatMap(client => ['1', '2', '3'].map(n => `${client}${n}`))
  const calls = names.map(path => call(change, path, by(path.charAt(0), path, { partnerId: 'p' })))
  calls.push(
    call(change, 'partner', by('p', 'admin', { role: 'partner' })),
    call(change, 'other', by('i', 'user', { partnerId: 'q' })),
  )
  await expect.poll(() => started).toEqual([...names.slice(0, 8), 'partner', 'other'])
  end('f1')
  await calls[0]
  await expect.poll(() => started.at(-1)).toBe('h3')
  endAll()
  await Promise.all(calls)
})

test('a change that hashes a password counts toward the limit on concurrent changes', async () => {
  const { started, run, end, endAll } = namedWork()
  const base = userProcedure({ permission: 'viewer' }).meta({ storesResponseLater: 'hashes a password' })
  const change = base.mutation(({ path }) => run(path))
  const calls = ['j1', 'j2', 'j3', 'j4', 'j5'].map(path => call(change, path, by('j', path)))
  await expect.poll(() => started).toEqual(['j1', 'j2', 'j3', 'j4'])
  end('j1')
  await calls[0]
  await expect.poll(() => started.at(-1)).toBe('j5')
  endAll()
  await Promise.all(calls)
})

test('the Owner’s changes, and changes whose responses are stored later, can exceed four at a time', async () => {
  const { started, run, endAll } = namedWork()
  const base = userProcedure({ permission: 'viewer' })
  const change = base.mutation(({ path }) => run(path))
  const long = base.meta({ storesResponseLater: 'several transactions' }).mutation(({ path }) => run(path))
  const names = (prefix: string) => [1, 2, 3, 4, 5].map(n => `${prefix}${n}`)
  const calls = [
    ...names('owner').map(path => call(change, path, by('o', 'user', { role: 'owner' }))),
    ...names('client').map(path => call(long, path, by('a', 'user'))),
  ]
  await expect.poll(() => started).toEqual([...names('owner'), ...names('client')])
  endAll()
  await Promise.all(calls)
})

test('the limit on concurrent changes does not delay the erasure of a payer’s data', async () => {
  const { started, run, endAll } = namedWork()
  const change = userProcedure({ permission: 'viewer' }).mutation(({ path }) => run(path))
  const changes = ['1', '2', '3', '4'].map(path => call(change, path, by('d', path)))
  await expect.poll(() => started).toHaveLength(4)
  const ctx = { caller: { ...by('d', '1').caller, permissions: ['admin'] } }
  // A waiting call has not validated its input yet. An error about the input therefore proves that the erasure did not
  // wait.
  const erasure = call(customerRouter.erase, 'erase', ctx, { input: {} })
  await expect(erasure).rejects.toMatchObject({ code: 'BAD_REQUEST' })
  endAll()
  await Promise.all(changes)
})

test.each([
  ['call without authentication', publicProcedure, () => ({ source: () => '203.0.113.3' })],
  ['change', userProcedure({ permission: 'viewer' }), (userId: string) => by('c', userId)],
])(
  'a request (a %s) that waits until earlier requests have ended is not processed if its client disconnects',
  async (_, base, contextOf) => {
    const { started, run, endAll } = namedWork()
    const procedure = base.mutation(({ path }) => run(path))
    const running = ['1', '2', '3', '4'].map(path => call(procedure, path, contextOf(path)))
    await expect.poll(() => started).toEqual(['1', '2', '3', '4'])
    const request = new AbortController()
    const waiting = call(procedure, '5', contextOf('5'), { signal: request.signal })
    request.abort()
    await expect(waiting).rejects.toMatchObject({ cause: { fault: 'connection_closed' } })
    endAll()
    await Promise.all(running)
    expect(started).toHaveLength(4)
  },
)
