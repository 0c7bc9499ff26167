import { useQuery } from '@tanstack/react-query'
import { client, trpc } from '../api/trpc.ts'
import { useWords, words } from '../language/language.tsx'
import { Panel } from '../parts/panel.tsx'
import { Failure, Pending } from '../parts/states.tsx'
import type { Tenant } from '../tenants/tenant-words.ts'
import { LimitsForm } from './limits-form.tsx'

const text = words({
  en: {
    title: 'Request limits for this tenant',
    inherits: (limit: string) => `Leave this field empty to use the limit for the tenant’s tier, ${limit}.`,
  },
  id: {
    title: 'Batas permintaan tenant ini',
    inherits: (limit: string) => `Kosongkan untuk memakai batas paket tenant ini, ${limit}.`,
  },
})

export function TenantLimits({ tenant }: { tenant: Tenant }) {
  const t = useWords(text)
  const of = { tenant_id: tenant.id }
  const { data: limits, error, refetch } = useQuery(trpc.limits.ofTenant.queryOptions(of))
  if (error && !limits) return <Failure error={error} retry={() => void refetch()} />
  if (!limits) return <Pending />
  return (
    <Panel title={t.title}>
      <LimitsForm
        limits={limits}
        of="tenant"
        inherits={t.inherits}
        save={own => client.limits.updateTenant.mutate({ ...of, ...own })}
        reset={() => client.limits.resetTenant.mutate(of)}
      />
    </Panel>
  )
}
