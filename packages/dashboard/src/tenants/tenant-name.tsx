import { useQuery } from '@tanstack/react-query'
import { trpc } from '../api/trpc.ts'
import { useAccount } from '../session/account.ts'

/** Shows the tenant's name if the user may see it, and the tenant's ID otherwise. */
export function TenantName({ id }: { id: string }) {
  const account = useAccount()
  const isOwn = id === account.id
  const { data } = useQuery(
    trpc.tenants.get.queryOptions(
      { tenant_id: id },
      { enabled: !isOwn && account.role !== 'client', staleTime: 5 * 60_000, retry: false },
    ),
  )
  return <span title={id}>{isOwn ? account.name : (data?.name ?? `…${id.slice(-8)}`)}</span>
}
