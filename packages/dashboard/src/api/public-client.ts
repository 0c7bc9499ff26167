// For what anybody may call: to log in, and to come back in.

import type { AppRouter } from '@gapura/server'
import { createTRPCClient, httpLink } from '@trpc/client'

export const publicClient = createTRPCClient<AppRouter>({ links: [httpLink({ url: '/trpc' })] })
