import { type AnyTRPCProcedure, initTRPC, TRPCError } from '@trpc/server'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { callProcedure, type ProcedureCall } from './call-procedure.ts'

const t = initTRPC.context<object>().meta<object>().create()

const named = z.object({ name: z.string() })
const aged = z.object({ age: z.number() })
const seen = z.object({ input: z.unknown(), ctx: z.unknown(), rest: z.unknown() })

const procedure = t.procedure
  .meta({ of: 'meta' })
  .use(({ next, meta }) => next({ ctx: { meta, added: 1 } }))
  .input(named)
  .use(({ next, input }) => next({ ctx: { early: input.name } }))
  .input(aged)
  .output(seen)
  .mutation(({ input, ctx, path, signal, batchIndex }) => ({
    input,
    ctx,
    rest: { path, signal, batchIndex },
  }))

const { signal } = new AbortController()

const callWith = (input: unknown): ProcedureCall => ({
  path: 'the.path',
  type: 'mutation',
  getRawInput: async () => input,
  ctx: { given: 0 } as unknown as ProcedureCall['ctx'],
  signal,
  batchIndex: 0,
})

/** A call's return value, or the error it throws. */
const outcome = (called: Promise<unknown>) =>
  called.catch(({ code, message, cause }: TRPCError) => ({ code, message, cause }))

const bothCallers = async (called: AnyTRPCProcedure, input: unknown) => ({
  ours: await outcome(callProcedure(called, callWith(input))),
  trpcs: await outcome((called as unknown as (call: ProcedureCall) => Promise<unknown>)(callWith(input))),
})

describe('callProcedure, which replaces tRPC’s own caller, returns the same result as that caller', () => {
  test("a handler called by callProcedure gets the same context, input and other fields as from tRPC's own caller", async () => {
    const { ours, trpcs } = await bothCallers(procedure, { name: 'n', age: 3 })
    expect(ours).toEqual(trpcs)
    expect(ours).toMatchObject({
      input: { name: 'n', age: 3 },
      ctx: { given: 0, added: 1, early: 'n', meta: { of: 'meta' } },
      rest: { path: 'the.path', batchIndex: 0 },
    })
  })

  test('callProcedure does not change a prototype if the input has the key __proto__', async () => {
    const withKey = t.procedure.input(z.record(z.string(), z.unknown())).mutation(({ input }) => input)
    const { ours, trpcs } = await bothCallers(withKey, JSON.parse('{"__proto__":{"admin":true}}'))
    expect(ours).toEqual(trpcs)
    expect(ours).not.toHaveProperty('admin')
  })

  const failing = {
    'an invalid input': [procedure, { name: 'n' }],
    'an error of the handler': [
      t.procedure.mutation(() => {
        throw new RangeError('broken')
      }),
      {},
    ],
    'an error of a middleware': [
      t.procedure
        .use(() => {
          throw new TRPCError({ code: 'FORBIDDEN', message: 'no' })
        })
        .mutation(() => 'unreachable'),
      {},
    ],
    'an invalid output': [t.procedure.output(named).mutation(() => ({}) as z.output<typeof named>), {}],
  } satisfies Record<string, [AnyTRPCProcedure, unknown]>
  test.each(Object.entries(failing))(
    'for %s, our function callProcedure returns the same error as tRPC’s own function for calling procedures',
    async (_, [called, input]) => {
      const { ours, trpcs } = await bothCallers(called, input)
      expect(ours).toEqual(trpcs)
      expect(ours).toHaveProperty('code')
    },
  )

  test("a middleware run by callProcedure can replace the raw input and gets a later middleware's error as a result", async () => {
    let result: object | undefined
    const replacing = t.procedure
      .use(async ({ next }) => {
        result = await next({ getRawInput: async () => ({ name: 7 }) })
        return result as never
      })
      .input(named)
      .mutation(({ input }) => input)
    const { ours, trpcs } = await bothCallers(replacing, { name: 'valid' })
    expect(ours).toEqual(trpcs)
    expect(ours).toHaveProperty('code', 'BAD_REQUEST')
    expect(result).toHaveProperty('ok', false)
  })
})
