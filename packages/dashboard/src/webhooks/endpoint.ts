import { trpc } from '../api/trpc.ts'

/** Queries the webhook endpoint. The result is not cached once no component uses it, because it contains the secret. */
export const endpointQuery = trpc.webhooks.endpoint.queryOptions({}, { gcTime: 0 })

/** Queries only the callback URL, for components that do not need the secret. */
export const callbackUrlQuery = trpc.webhooks.endpoint.queryOptions(
  {},
  { gcTime: 0, select: ({ callback_url }) => callback_url },
)
