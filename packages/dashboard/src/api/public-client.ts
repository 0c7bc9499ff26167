// The client for procedures that need no access token: logging in and resetting a password.

import type { AppRouter } from '@gapura/server'
import { createTRPCClient, httpLink } from '@trpc/client'

export const publicClient = createTRPCClient<AppRouter>({ links: [httpLink({ url: '/trpc' })] })
