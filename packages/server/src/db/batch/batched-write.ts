// Batches concurrent writes into one statement or transaction, because a round trip and a commit cost as much for a
// hundred rows as for one. A batch may access the tenants of all its callers, so row-level security does not separate
// the callers. The code therefore checks each input and output: its tenant must be in its caller's scope (the tenants
// the caller may access).

import type { Db } from '../db.ts'
import { isDistributed } from '../distributed-database.ts'
import { currentScope, inScope, type TenantScope, unionOfScopes } from '../tenant-scope.ts'
import { batched, CALLS_PER_STATEMENT, STATEMENTS_IN_FLIGHT } from './batched.ts'
import { perDatabase } from './per-database.ts'

type Write<In, Out> = {
  /** Writes a batch. `inputs` contains all calls' inputs. Returns one output per input, in the same order. */
  run: (db: Db, inputs: In[]) => Promise<Out[]>
  /** Returns the ID of the tenant to which the input of a call belongs. */
  tenantOf: (input: In) => string
  /**
   * Returns the tenant whose data an output of the write contains. Omit this function if the outputs contain
   * no tenant data.
   */
  tenantOfOutput?: (output: Out) => string
  batchSize?: number
  maxInFlight?: number
}

/**
 * Returns a function that writes to the database. Concurrent calls of this function share a batch. Internal
 * calls may access the rows of all tenants, so they never share a batch with calls that are restricted to
 * some tenants.
 */
export function batchedWrite<In, Out>(
  name: string,
  {
    run,
    tenantOf,
    tenantOfOutput,
    batchSize = CALLS_PER_STATEMENT,
    maxInFlight = STATEMENTS_IN_FLIGHT,
  }: Write<In, Out>,
): (db: Db, input: In) => Promise<Out> {
  const writeOn = perDatabase(db => {
    // In a transaction, a failed batch is not retried. PostgreSQL would reject the retry with another error,
    // which would hide the original error.
    const options = { name, batchSize, maxInFlight, retriesAlone: !db.isTransaction }
    // On a distributed database, each batch contains only one tenant's writes, so that its transaction stays on one
    // shard.
    const isSplit = isDistributed(db)
    const forService = batched((inputs: In[]) => run(db, inputs), {
      ...options,
      groupOf: isSplit ? tenantOf : undefined,
    })
    const forCallers = batched(
      (calls: { input: In; scope: TenantScope }[]) =>
        inScope(unionOfScopes(calls.map(call => call.scope)), () =>
          run(
            db,
            calls.map(call => call.input),
          ),
        ),
      { ...options, groupOf: isSplit ? call => tenantOf(call.input) : undefined },
    )
    return async (input: In): Promise<Out> => {
      const scope = currentScope()
      if (!scope) return forService(input)
      // A Partner's writes are not batched. A Partner may write for its Clients, the tenants it manages. Only the
      // database knows who these Clients are, so a batch could not check this permission.
      if (scope.partners.length > 0) return (await run(db, [input]))[0] as Out
      assertInScope(scope, tenantOf(input))
      const output = await forCallers({ input, scope })
      if (tenantOfOutput) assertInScope(scope, tenantOfOutput(output))
      return output
    }
  })
  return (db, input) => writeOn(db)(input)
}

function assertInScope({ tenants }: TenantScope, tenantId: string): void {
  if (!tenants.includes(tenantId)) throw new Error(`tenant ${tenantId} is not in the caller's scope`)
}
