import { trpc } from '../api/trpc.ts'

/**
 * Queries the callback URL and its secret. Because the result contains the secret, the cache drops it as soon as no
 * component uses it.
 */
export const endpointQuery = trpc.webhooks.endpoint.queryOptions({}, { gcTime: 0 })

/** A query that returns only the callback URL, for components that do not need the signing secret. */
export const callbackUrlQuery = trpc.webhooks.endpoint.queryOptions(
  {},
  { gcTime: 0, select: ({ callback_url }) => callback_url },
)
