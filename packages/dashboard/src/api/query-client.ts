import { type Query, QueryClient } from '@tanstack/react-query'
import { faultOf } from './fault.ts'

const isLong = ({ queryKey: [, meta] }: Query) => (meta as { type?: string } | undefined)?.type === 'infinite'

export const queryClient = new QueryClient({
  defaultOptions: {
    // Without a network, calls fail at once. By default they would be paused and sent later, when the user may have
    // moved on.
    mutations: { networkMode: 'always' },
    queries: {
      networkMode: 'always',
      // Live changes keep open pages up to date. A page that is opened again after this time is still refetched.
      staleTime: 5_000,
      // A long list would be reloaded page by page. Live changes keep it up to date instead.
      refetchOnWindowFocus: query => !isLong(query),
      retry: (failures, error) => failures < 2 && faultOf(error).isPassing,
    },
  },
})
