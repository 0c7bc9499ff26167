import { isPermitted, type NeededPermission } from '@gapura/server/permission'
import { useSuspenseQuery } from '@tanstack/react-query'
import { type Outputs, trpc } from '../api/trpc.ts'

export type Account = Outputs['tenants']['account']

/** Returns the query that loads the current tenant and user. Its result is cached until another user logs in. */
export const accountQuery = () =>
  trpc.tenants.account.queryOptions({}, { staleTime: Number.POSITIVE_INFINITY })

/**
 * Returns the current tenant and user. They are always available, because the shell (the frame with the navigation)
 * loads them before showing a page.
 */
export const useAccount = (): Account => useSuspenseQuery(accountQuery()).data

/**
 * Returns whether the current user has the permission. Pages use this only to hide actions that the server
 * would reject: permissions are enforced by the server alone.
 */
export const useIsPermitted = (needed: NeededPermission): boolean =>
  isPermitted(useAccount().user.permissions, needed)
