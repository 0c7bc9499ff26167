import { trpc } from '../api/trpc.ts'

/** It carries the secret: once nothing on the screen is of it, the browser forgets it. */
export const endpointQuery = trpc.webhooks.endpoint.queryOptions({}, { gcTime: 0 })

/** For who need no more of it. */
export const callbackUrlQuery = trpc.webhooks.endpoint.queryOptions(
  {},
  { gcTime: 0, select: ({ callback_url }) => callback_url },
)
