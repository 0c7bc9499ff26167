import { Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { trpc } from '../api/trpc.ts'
import { useWords, words } from '../language/language.tsx'
import { TextLink } from '../parts/links.tsx'
import { Panel } from '../parts/panel.tsx'
import { Empty, Failure, Pending } from '../parts/states.tsx'
import type { Tenant } from '../tenants/tenant-words.ts'
import { accountOf } from './known-accounts.ts'
import { RoutePreview } from './route-preview.tsx'
import { RoutingRules } from './routing-rules.tsx'

const text = words({
  en: {
    none: 'No provider accounts yet',
    how: 'Routing rules choose a provider account for each payment. This tenant has no account yet.',
    give: 'Add a provider account first',
  },
  id: {
    none: 'Belum ada akun penyedia',
    how: 'Aturan perutean memilih akun penyedia untuk setiap pembayaran. Tenant ini belum memiliki akun.',
    give: 'Tambahkan akun penyedia terlebih dahulu',
  },
})

export function TenantRouting({ tenant }: { tenant: Tenant }) {
  const t = useWords(text)
  const path = { tenant_id: tenant.id }
  const entitled = useQuery(trpc.routes.entitlements.queryOptions(path))
  const rules = useQuery(trpc.routes.rules.queryOptions(path))
  const failed = [entitled, rules].find(({ data, error }) => error && !data)
  if (failed) return <Failure error={failed.error} retry={() => void failed.refetch()} />
  if (!entitled.data || !rules.data) return <Pending />
  const accounts = entitled.data.items.map(accountOf)
  if (accounts.length === 0)
    return (
      <Panel>
        <Empty title={t.none}>
          {t.how}{' '}
          <TextLink to="/tenants/$tenantId" params={{ tenantId: tenant.id }} search={{ tab: 'entitlements' }}>
            {t.give}
          </TextLink>
        </Empty>
      </Panel>
    )
  return (
    <Stack>
      <RoutingRules tenant={tenant} accounts={accounts} saved={rules.data.items} />
      <RoutePreview tenant={tenant} accounts={accounts} />
    </Stack>
  )
}
