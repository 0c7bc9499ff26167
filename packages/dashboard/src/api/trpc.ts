// The typed client for the server's procedures. Calls made in the same tick are sent as one batch.

import type { AppRouter, Inputs, Outputs } from '@gapura/server'
import { createTRPCClient, httpBatchLink, httpLink, httpSubscriptionLink, splitLink } from '@trpc/client'
import { createTRPCOptionsProxy } from '@trpc/tanstack-react-query'
import { EventSource } from 'eventsource'
import { accessToken, distrust } from '../session/session.ts'
import { proofLink } from './proof-link.ts'
import { queryClient } from './query-client.ts'

export type { Inputs, Outputs }

/** The service's maximum batch size (packages/server/src/http/server.ts). */
const MAX_BATCH = 10

const authorized = async () => ({ authorization: `Bearer ${await accessToken()}` })

export const client = createTRPCClient<AppRouter>({
  links: [
    proofLink,
    splitLink({
      condition: operation => operation.type === 'subscription',
      // Live updates use an EventSource that sends the access token in a header. The browser's own EventSource
      // can send the token only in the URL, which is recorded in logs.
      true: httpSubscriptionLink({
        url: '/trpc',
        EventSource,
        eventSourceOptions: () => ({ fetch: fetchAuthorized }),
      }),
      false: splitLink({
        // A call with an idempotency key is not batched, because the key is a header and all calls in a batch
        // share the same headers.
        condition: ({ context }) => context.idempotencyKey !== undefined,
        true: httpLink({
          url: '/trpc',
          headers: async ({ op: { context } }) => ({
            ...(await authorized()),
            'x-idempotency-key': String(context.idempotencyKey),
          }),
          fetch: fetchTrusting,
        }),
        false: httpBatchLink({
          url: '/trpc',
          maxItems: MAX_BATCH,
          headers: authorized,
          fetch: fetchTrusting,
        }),
      }),
    }),
  ],
})

async function fetchAuthorized(input: string | URL, init: RequestInit): Promise<Response> {
  const headers = { ...(init.headers as Record<string, string>), ...(await authorized()) }
  return fetchTrusting(input, { ...init, headers })
}

/**
 * Sends a request. The status 401 means that the service has rejected the access token, so the token is then discarded.
 */
async function fetchTrusting(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const response = await fetch(input, init)
  if (response.status === 401) distrust()
  return response
}

export const trpc = createTRPCOptionsProxy<AppRouter>({ client, queryClient })
