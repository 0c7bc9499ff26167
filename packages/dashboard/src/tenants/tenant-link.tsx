import { useQuery } from '@tanstack/react-query'
import { trpc } from '../api/trpc.ts'
import { TextLink } from '../parts/links.tsx'

/** Names seldom change, and many rows are of one tenant. */
const FRESH_FOR_MS = 60_000

/** A tenant by its name, of which only the id is known here. */
export function TenantLink({ id }: { id: string }) {
  const { data } = useQuery(trpc.tenants.get.queryOptions({ tenant_id: id }, { staleTime: FRESH_FOR_MS }))
  return (
    <TextLink to="/tenants/$tenantId" params={{ tenantId: id }} inherit>
      {data?.name ?? `…${id.slice(-6)}`}
    </TextLink>
  )
}
