import { QueryClient } from '@tanstack/react-query'
import { faultOf } from './fault.ts'

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      // Open pages are told of changes; coming back to one asks again all the same.
      staleTime: 5_000,
      retry: (failures, error) => failures < 2 && faultOf(error).isPassing,
    },
  },
})
