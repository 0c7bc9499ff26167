import { trpc } from '../api/trpc.ts'

/**
 * Queries the webhook endpoint. Its result contains the secret, so it is removed from the cache as soon as no
 * component uses it.
 */
export const endpointQuery = trpc.webhooks.endpoint.queryOptions({}, { gcTime: 0 })

/** Queries only the callback URL, for components that do not need the signing secret. */
export const callbackUrlQuery = trpc.webhooks.endpoint.queryOptions(
  {},
  { gcTime: 0, select: ({ callback_url }) => callback_url },
)
