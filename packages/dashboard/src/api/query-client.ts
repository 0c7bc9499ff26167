import { type Query, QueryClient } from '@tanstack/react-query'
import { faultOf } from './fault.ts'

const isLong = ({ queryKey: [, meta] }: Query) => (meta as { type?: string } | undefined)?.type === 'infinite'

export const queryClient = new QueryClient({
  defaultOptions: {
    // Without a network, calls fail immediately. By default, TanStack Query would pause the calls and send them
    // later, when the user no longer expects it.
    mutations: { networkMode: 'always' },
    queries: {
      networkMode: 'always',
      // How many milliseconds cached data counts as fresh. Live updates keep open pages current.
      staleTime: 5_000,
      // Long lists are not refetched when the window gets the focus. A refetch would load every page of the list,
      // and live updates keep it current anyway.
      refetchOnWindowFocus: query => !isLong(query),
      retry: (failures, error) => failures < 2 && faultOf(error).isPassing,
    },
  },
})
