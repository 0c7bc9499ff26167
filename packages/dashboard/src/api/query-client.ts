import { type Query, QueryClient } from '@tanstack/react-query'
import { faultOf } from './fault.ts'

const isLong = ({ queryKey: [, meta] }: Query) => (meta as { type?: string } | undefined)?.type === 'infinite'

/**
 * How often pages with other tenants' payments refetch them, in milliseconds. Live updates report only the payments of
 * the user's own tenant.
 */
export const OTHERS_EVERY_MS = 15_000

export const queryClient = new QueryClient({
  defaultOptions: {
    // Without a network, TanStack Query would by default pause calls and send them later, when the user may no longer
    // expect this. With `always`, these calls fail immediately.
    mutations: { networkMode: 'always' },
    queries: {
      networkMode: 'always',
      // Cached data that is at most this many milliseconds old counts as fresh, so opening a page does not
      // refetch it. Live updates keep open pages current.
      staleTime: 5_000,
      // Long lists are not refetched when the window gets the focus, because a refetch would load every page of
      // the list. Live updates keep the list current anyway.
      refetchOnWindowFocus: query => !isLong(query),
      retry: (failures, error) => failures < 2 && faultOf(error).isPassing,
    },
  },
})
