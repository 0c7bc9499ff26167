import { useQueryClient } from '@tanstack/react-query'
import { client, type Outputs } from '../api/trpc.ts'
import { endpointQuery } from './endpoint.ts'
import { Secret } from './secret.tsx'

/** Shows the secret used to sign webhooks to the callback URL. */
export function CallbackSecret({ endpoint }: { endpoint: Outputs['webhooks']['endpoint'] }) {
  const queries = useQueryClient()
  const rotate = async (revokePrevious: boolean) => {
    const rotated = await client.webhooks.rotateSecret.mutate({ revoke_previous: revokePrevious })
    // The update changes only an existing cache entry. If the user has left the page and the entry is gone, no new
    // entry is created, so the secret does not stay in the cache.
    queries.setQueryData(endpointQuery.queryKey, shown => shown && rotated)
  }
  return <Secret secret={endpoint.secret} overlapEnd={endpoint.previous_secret_expires_at} rotate={rotate} />
}
