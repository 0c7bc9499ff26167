import { type Query, QueryClient } from '@tanstack/react-query'
import { faultOf } from './fault.ts'

const isLong = ({ queryKey: [, meta] }: Query) => (meta as { type?: string } | undefined)?.type === 'infinite'

export const queryClient = new QueryClient({
  defaultOptions: {
    // Without a network, calls fail immediately. By default they would be paused and sent later, when the user may
    // already be doing something else.
    mutations: { networkMode: 'always' },
    queries: {
      networkMode: 'always',
      // The time for which cached data counts as fresh. Live changes keep open pages up to date; a page that is opened
      // again after this time is refetched.
      staleTime: 5_000,
      // Long lists are not refetched when the window gets the focus, because that would reload every page of the list.
      // Live changes keep them up to date.
      refetchOnWindowFocus: query => !isLong(query),
      retry: (failures, error) => failures < 2 && faultOf(error).isPassing,
    },
  },
})
