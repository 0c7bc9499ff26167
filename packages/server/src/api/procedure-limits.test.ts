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
    ...{
      path,
      type: procedure._def.type,
      getRawInput: async () => undefined,
      signal: undefined,
      batchIndex: 0,
    },
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

test('changes by one Client’s users run four at a time and delay neither its reads nor other tenants’ changes', async () => {
  const { started, run, end, endAll } = namedWork()
  const base = userProcedure({ permission: 'viewer' })
  const change = base.mutation(({ path }) => run(path))
  const read = base.query(({ path }) => run(path))
  const by = (tenantId: string) => ({
    caller: { kind: 'user', role: 'client', permissions: ['viewer'], userId: 'u', tenantId },
  })
  const calls = ['a1', 'a2', 'a3', 'a4', 'a5'].map(path => call(change, path, by('a')))
  calls.push(call(read, 'a read', by('a')), call(change, 'b1', by('b')))
  await expect.poll(() => started).toEqual(['a1', 'a2', 'a3', 'a4', 'a read', 'b1'])
  end('a3')
  await calls[2]
  await expect.poll(() => started.at(-1)).toBe('a5')
  endAll()
  await Promise.all(calls)
})
