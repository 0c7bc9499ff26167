// The procedures that are no operations of /v1: the dashboard's own, which tRPC alone serves.

import { appRouter, proceduresOf } from '../../src/api/router.ts'

/** A subscription stays open, and is tested by itself (journeys/live.test.ts). As operations of the document are told of, by their names in the router. */
export const trpcOnly = (): { operationId: string; method: string; path: string }[] =>
  proceduresOf(appRouter).flatMap(([name, { _def }]) =>
    _def.meta?.openapi || _def.type === 'subscription'
      ? []
      : [{ operationId: name, method: _def.type === 'query' ? 'GET' : 'POST', path: `/trpc/${name}` }],
  )
