import type { AnyTRPCProcedure } from '@trpc/server'
import { expect, test } from 'vitest'
import { callProcedure } from './call-procedure.ts'
import type { Context } from './context.ts'
import { publicProcedure, userProcedure } from './trpc.ts'

/** Work that a test ends by its name. */
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

const call = (procedure: AnyTRPCProcedure, path: string, ctx: object) =>
  callProcedure(procedure, {
    ...{ path, type: 'mutation', getRawInput: async () => undefined, signal: undefined, batchIndex: 0 },
    ctx: ctx as Context,
  })

test('calls without authentication from one source run four at a time and do not delay calls from other sources', async () => {
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

test('a tenant’s requests with an idempotency key run four at a time and do not delay other tenants’ requests', async () => {
  const { started, run, end, endAll } = namedWork()
  const procedure = userProcedure({ permission: 'viewer' })
    .meta({ openapi: { method: 'POST', path: '/v1/changes' } })
    .mutation(() => null)
  const requestOf = (tenantId: string, key: string) => {
    // Each request with a key runs in one transaction. This transaction ends only when the test ends it.
    const transaction = () => run(key).then(() => ({ response: null, isReplayed: true }))
    return call(procedure, 'change', {
      app: { db: { transaction }, clock: () => new Date(), secrets: { hash: () => Buffer.alloc(32) } },
      caller: { kind: 'user', role: 'client', permissions: ['viewer'], userId: 'u', tenantId },
      idempotencyKey: key,
      setHeader: () => {},
    })
  }
  const calls = ['a1', 'a2', 'a3', 'a4', 'a5'].map(key => requestOf('a', key))
  calls.push(requestOf('b', 'b1'))
  await expect.poll(() => started).toEqual(['a1', 'a2', 'a3', 'a4', 'b1'])
  end('a3')
  await calls[2]
  await expect.poll(() => started.at(-1)).toBe('a5')
  endAll()
  await Promise.all(calls)
})
