import { type Query, QueryClient } from '@tanstack/react-query'
import { faultOf } from './fault.ts'

const isLong = ({ queryKey: [, meta] }: Query) => (meta as { type?: string } | undefined)?.type === 'infinite'

export const queryClient = new QueryClient({
  defaultOptions: {
    // Without a network what is asked fails at once. Waiting for one would do later, unasked, what somebody gave up.
    mutations: { networkMode: 'always' },
    queries: {
      networkMode: 'always',
      // Open pages are told of changes; coming back to one asks again all the same.
      staleTime: 5_000,
      // A long list would be loaded page by page; it is kept up to date by live changes.
      refetchOnWindowFocus: query => !isLong(query),
      retry: (failures, error) => failures < 2 && faultOf(error).isPassing,
    },
  },
})
