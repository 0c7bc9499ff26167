// Lists the procedures that only the dashboard calls, over tRPC. They are not /v1 operations.

import { appRouter, proceduresOf } from '../../src/router.ts'

/**
 * Returns the procedures that are not in the API document, in the same form as the operations in this document. The
 * operation ID is the procedure's name in the router. Subscriptions are left out, because they never end. The tests
 * in journeys/live.test.ts cover them.
 */
export const trpcOnly = (): { operationId: string; method: string; path: string }[] =>
  proceduresOf(appRouter).flatMap(([name, { _def }]) =>
    _def.meta?.openapi || _def.type === 'subscription'
      ? []
      : [{ operationId: name, method: _def.type === 'query' ? 'GET' : 'POST', path: `/trpc/${name}` }],
  )
