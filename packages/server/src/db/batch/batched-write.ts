// Batches concurrent writes into one statement or transaction. A round trip and a commit cost the same for one row as
// for a hundred, so concurrent calls share them.
// A batch runs with the scopes of all its callers combined, so row-level security does not separate these callers. The
// tenants of each input and output are therefore checked against the caller's own scope.

import type { Db } from '../db.ts'
import { currentScope, inScope, type TenantScope, unionOfScopes } from '../tenant-scope.ts'
import { batched, CALLS_PER_STATEMENT, STATEMENTS_IN_FLIGHT } from './batched.ts'
import { perDatabase } from './per-database.ts'

type Write<In, Out> = {
  /** Gets the inputs of a batch and returns one output for each, in the same order. */
  run: (db: Db, inputs: In[]) => Promise<Out[]>
  /** Returns the tenant that an input belongs to. */
  tenantOf: (input: In) => string
  /** Returns the tenant that an output belongs to, if outputs belong to tenants. */
  tenantOfOutput?: (output: Out) => string
  batchSize?: number
  maxInFlight?: number
}

/** Returns a write whose concurrent calls share a batch. Calls without a scope have their own batches. */
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
    // A transaction accepts no statement after an error, so a retry would only hide the error.
    const options = { name, batchSize, maxInFlight, retriesAlone: !db.isTransaction }
    const forService = batched((inputs: In[]) => run(db, inputs), options)
    const forCallers = batched(
      (calls: { input: In; scope: TenantScope }[]) =>
        inScope(unionOfScopes(calls.map(call => call.scope)), () =>
          run(
            db,
            calls.map(call => call.input),
          ),
        ),
      options,
    )
    return async (input: In): Promise<Out> => {
      const scope = currentScope()
      if (!scope) return forService(input)
      // Only the database knows a partner's Clients, so the tenants of a partner's writes cannot be checked here. These
      // writes are not batched.
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
  if (!tenants.includes(tenantId)) throw new Error(`the tenant ${tenantId} is not in the scope of the caller`)
}
