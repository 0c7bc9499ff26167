import { expect, test } from 'vitest'
import { callProcedure } from './call-procedure.ts'
import type { Context } from './context.ts'
import { publicProcedure } from './trpc.ts'

test('calls without authentication from one source run four at a time and do not delay calls from other sources', async () => {
  const started: string[] = []
  const ends = new Map<string, () => void>()
  const procedure = publicProcedure.mutation(async ({ path }) => {
    started.push(path)
    await new Promise<void>(resolve => ends.set(path, resolve))
  })
  const call = (path: string, source: string) =>
    callProcedure(procedure, {
      ...{ path, type: 'mutation', getRawInput: async () => undefined, signal: undefined, batchIndex: 0 },
      ctx: { source: () => source } as Context,
    })

  const calls = ['a1', 'a2', 'a3', 'a4', 'a5'].map(path => call(path, '203.0.113.1'))
  const other = call('b1', '203.0.113.2')
  await expect.poll(() => started).toEqual(['a1', 'a2', 'a3', 'a4', 'b1'])
  ends.get('a2')?.()
  await calls[1]
  await expect.poll(() => started.at(-1)).toBe('a5')
  for (const end of ends.values()) end()
  await Promise.all([...calls, other])
})
