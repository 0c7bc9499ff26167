import { coalesce } from '../coalesce.ts'
import { currentScope, inScope, type Scope, union } from './scope.ts'

/** As coalesce: each batch runs in the scopes of all who called, and what the service does itself in one of its own. */
export function coalesceInScope<In, Out>(
  run: (inputs: In[]) => Promise<Out[]>,
  sizes: Omit<Parameters<typeof coalesce<In, Out>>[1], 'weight'>,
): (input: In) => Promise<Out> {
  const ofService = coalesce(run, sizes)
  const ofCallers = coalesce(
    (calls: { input: In; scope: Scope }[]) =>
      inScope(union(calls.map(call => call.scope)), () => run(calls.map(call => call.input))),
    sizes,
  )
  return input => {
    const scope = currentScope()
    return scope ? ofCallers({ input, scope }) : ofService(input)
  }
}
