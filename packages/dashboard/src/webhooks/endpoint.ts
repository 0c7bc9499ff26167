import { trpc } from '../api/trpc.ts'

/** Not cached once no component uses it, because the response contains the secret. */
export const endpointQuery = trpc.webhooks.endpoint.queryOptions({}, { gcTime: 0 })

/** For components that need only the URL. */
export const callbackUrlQuery = trpc.webhooks.endpoint.queryOptions(
  {},
  { gcTime: 0, select: ({ callback_url }) => callback_url },
)
