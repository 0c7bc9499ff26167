// The procedures that are not operations of /v1: those that the dashboard uses over tRPC only.

import { appRouter, proceduresOf } from '../../src/api/router.ts'

/**
 * Described like operations of the document, by their names in the router. Subscriptions stay open and have tests of
 * their own (journeys/live.test.ts).
 */
export const trpcOnly = (): { operationId: string; method: string; path: string }[] =>
  proceduresOf(appRouter).flatMap(([name, { _def }]) =>
    _def.meta?.openapi || _def.type === 'subscription'
      ? []
      : [{ operationId: name, method: _def.type === 'query' ? 'GET' : 'POST', path: `/trpc/${name}` }],
  )
