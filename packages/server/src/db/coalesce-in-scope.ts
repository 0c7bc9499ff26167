// Writes share a transaction, and a transaction has one scope: that of all who called. So whose rows a call is about is
// asserted on the way in and on the way out, against the scope of its own caller.

import { coalesce } from '../coalesce.ts'
import { currentScope, inScope, type Scope, union } from './scope.ts'

/** The tenant that an input is about, and that of what came of it, where that has one. */
export type WhoseRows<In, Out> = { tenantOf: (input: In) => string; tenantIn?: (output: Out) => string }

/** As coalesce: each batch runs in the scopes of all who called, and what the service does itself in one of its own. */
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
    // Only the database knows who is below a partner: what it writes is joined with nothing.
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
