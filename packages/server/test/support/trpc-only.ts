// Lists the procedures that are not operations of /v1, because the dashboard uses them only over tRPC.

import { appRouter, proceduresOf } from '../../src/router.ts'

/**
 * Returns the procedures in the form of the document's operations, with their names in the router as operation ids.
 * Subscriptions are left out, because they never end; journeys/live.test.ts tests them.
 */
export const trpcOnly = (): { operationId: string; method: string; path: string }[] =>
  proceduresOf(appRouter).flatMap(([name, { _def }]) =>
    _def.meta?.openapi || _def.type === 'subscription'
      ? []
      : [{ operationId: name, method: _def.type === 'query' ? 'GET' : 'POST', path: `/trpc/${name}` }],
  )
