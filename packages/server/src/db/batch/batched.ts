// Batches concurrent calls, each of which needs its own result. This module does not check tenants, so use it
// directly only for internal work. For SQL statements on behalf of callers, use `batchedRead` or `batchedWrite`.

import { currentSpan, inBatchSpan } from '../../tracing/span.ts'
import { isDatabaseUnavailable } from '../database-errors.ts'
import { type BatchLimits, batchQueue } from './batch-queue.ts'

/**
 * The maximum number of calls that share an SQL statement. It is limited because a larger batch would delay
 * its first caller.
 */
export const CALLS_PER_STATEMENT = 100
/**
 * The maximum number of batches in flight per connection pool. With more than one, a connection that hangs
 * delays only its own batch, and other batches can continue.
 */
export const STATEMENTS_IN_FLIGHT = 4

type Call<In, Out> = {
  input: In
  span: ReturnType<typeof currentSpan>
  resolve: (output: Out) => void
  reject: (error: unknown) => void
}

/** The maximum number of inputs that are retried at the same time after their batch has failed. */
const RETRIES_IN_FLIGHT = 4

/** The maximum number of groups of inputs (see `groupOf`) that a batch processes at the same time. */
const GROUPS_IN_FLIGHT = 4

type Options<In> = BatchLimits<In> & {
  retriesAlone?: boolean
  /** Returns an input's group. Inputs in different groups never share a call to `run`. */
  groupOf?: ((input: In) => string | undefined) | undefined
}

/**
 * Returns a function that combines concurrent calls into batches. The parameter `run` processes a batch and returns one
 * output per input, in the same order. If a batch fails, each input is retried separately, so that an invalid input
 * makes only its own call fail. There is no retry if `retriesAlone` is false or the database is unavailable. All calls
 * in the batch then fail.
 */
export function batched<In, Out>(
  run: (inputs: In[]) => Promise<Out[]>,
  { retriesAlone = true, groupOf, weight, ...limits }: Options<In>,
): (input: In) => Promise<Out> {
  async function runBatch(calls: Call<In, Out>[]): Promise<void> {
    try {
      const outputs = await inBatchSpan(
        limits.name,
        calls.map(call => call.span),
        () => run(calls.map(call => call.input)),
      )
      calls.forEach((call, index) => {
        call.resolve(outputs[index] as Out)
      })
    } catch (error) {
      if (calls.length > 1 && retriesAlone && !isDatabaseUnavailable(error)) await runEachAlone(calls)
      else for (const call of calls) call.reject(error)
    }
  }

  /**
   * Retries each input of a failed batch separately. Halving the batch repeatedly instead would be slower,
   * because an input that waits for a lock would time out at each step.
   */
  async function runEachAlone(calls: Call<In, Out>[]): Promise<void> {
    const remaining = calls.values()
    const runRemaining = async () => {
      for (const call of remaining) await runBatch([call])
    }
    await Promise.all(Array.from({ length: RETRIES_IN_FLIGHT }, runRemaining))
  }

  /**
   * Splits a batch into its groups of calls and runs each group as a batch, so that the groups succeed or
   * fail independently.
   */
  async function runGroups(calls: Call<In, Out>[]): Promise<void> {
    const remaining = Map.groupBy(calls, call => groupOf?.(call.input)).values()
    const runRemaining = async () => {
      for (const group of remaining) await runBatch(group)
    }
    await Promise.all(Array.from({ length: GROUPS_IN_FLIGHT }, runRemaining))
  }

  const add = batchQueue(groupOf ? runGroups : runBatch, {
    ...limits,
    ...(weight && { weight: { ...weight, of: (call: Call<In, Out>) => weight.of(call.input) } }),
  })
  return input => new Promise((resolve, reject) => add({ input, span: currentSpan(), resolve, reject }))
}
