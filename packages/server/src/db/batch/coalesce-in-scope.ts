// Batches writes of several tenants without weakening tenant isolation. Batched writes share one transaction, which has
// the union of the callers' scopes. So the tenants of each input and output are also checked against the scope of their
// own caller, before and after the batch.

import { currentScope, inScope, type Scope, union } from '../scope.ts'
import { coalesce } from './coalesce.ts'

/**
 * `tenantOf` returns the tenant that an input belongs to. `tenantIn` returns the tenant that an output belongs to, if
 * it has one.
 */
export type WhoseRows<In, Out> = { tenantOf: (input: In) => string; tenantIn?: (output: Out) => string }

/**
 * Like coalesce, but a batch runs in the union of its callers' scopes. Calls without a scope have their own batches.
 */
export function coalesceInScope<In, Out>(
  run: (inputs: In[]) => Promise<Out[]>,
  {
    tenantOf,
    tenantIn,
    ...sizes
  }: WhoseRows<In, Out> & Omit<Parameters<typeof coalesce<In, Out>>[1], 'weight'>,
): (input: In) => Promise<Out> {
  const ofService = coalesce(run, sizes)
  const ofCallers = coalesce(
    (calls: { input: In; scope: Scope }[]) =>
      inScope(union(calls.map(call => call.scope)), () => run(calls.map(call => call.input))),
    sizes,
  )
  return async input => {
    const scope = currentScope()
    if (!scope) return ofService(input)
    // Only the database knows which Clients a partner has, so a partner's writes are not batched.
    if (scope.partners.length > 0) return (await run([input]))[0] as Out
    assertIn(scope, tenantOf(input))
    const output = await ofCallers({ input, scope })
    if (tenantIn) assertIn(scope, tenantIn(output))
    return output
  }
}

function assertIn({ tenants }: Scope, tenantId: string): void {
  if (!tenants.includes(tenantId)) throw new Error(`the tenant ${tenantId} is not in the scope of the caller`)
}
