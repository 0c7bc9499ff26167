import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import type { ComponentType } from 'react'
import { trpc } from '../api/trpc.ts'
import { useWords, words } from '../language/language.tsx'
import { TenantLimits } from '../limits/tenant-limits.tsx'
import { AddressTabs } from '../parts/address-tabs.tsx'
import { TextLink } from '../parts/links.tsx'
import { Page } from '../parts/page.tsx'
import { Failure, Pending } from '../parts/states.tsx'
import { Entitlements } from '../routing/entitlements.tsx'
import { TenantRouting } from '../routing/tenant-routing.tsx'
import { useAccount } from '../session/account.ts'
import { TenantDetails } from './tenant-details.tsx'
import { TenantFigures } from './tenant-figures.tsx'
import { TenantKeys } from './tenant-keys.tsx'
import { TenantUsers } from './tenant-users.tsx'
import type { Tenant } from './tenant-words.ts'

const text = words({
  en: {
    back: { owner: 'All tenants', partner: 'All clients', client: '' },
    parts: 'Sections of this page',
    details: 'Details',
    figures: 'Figures',
    keys: 'API keys',
    users: 'Users',
    entitlements: 'Provider accounts',
    routing: 'Routing',
    limits: 'Request limits',
  },
  id: {
    back: { owner: 'Semua tenant', partner: 'Semua klien', client: '' },
    parts: 'Bagian halaman ini',
    details: 'Rincian',
    figures: 'Angka',
    keys: 'Kunci API',
    users: 'Pengguna',
    entitlements: 'Akun penyedia',
    routing: 'Perutean',
    limits: 'Batas permintaan',
  },
})

const tabs = {
  details: TenantDetails,
  figures: TenantFigures,
  keys: TenantKeys,
  users: TenantUsers,
  entitlements: Entitlements,
  routing: TenantRouting,
  limits: TenantLimits,
} satisfies Record<string, ComponentType<{ tenant: Tenant }>>
type Name = keyof typeof tabs
const namesOf = (role: Tenant['role'], viewer: Tenant['role']): Name[] => [
  ...(role === 'client'
    ? (['details', 'figures', 'keys', 'users', 'entitlements', 'routing'] as const)
    : // Only a Client accepts payments.
      (['details', 'users', ...(role === 'partner' ? (['entitlements'] as const) : [])] as const)),
  ...(viewer === 'owner' ? (['limits'] as const) : []),
]

export function TenantPage() {
  const t = useWords(text)
  const { role } = useAccount()
  const { tenantId } = useParams({ from: '/inside/tenants/$tenantId' })
  const { tab } = useSearch({ from: '/inside/tenants/$tenantId' })
  const navigate = useNavigate({ from: '/tenants/$tenantId' })
  const { data: tenant, error, refetch } = useQuery(trpc.tenants.get.queryOptions({ tenant_id: tenantId }))
  if (error && !tenant) return <Failure error={error} retry={() => void refetch()} />
  if (!tenant) return <Pending />
  const names = namesOf(tenant.role, role)
  const open = names.find(name => name === tab) ?? 'details'
  const Shown = tabs[open]
  return (
    <Page title={tenant.name} description={<TextLink to="/tenants">{`← ${t.back[role]}`}</TextLink>}>
      <AddressTabs
        label={t.parts}
        tabs={names.map(name => ({ name, label: t[name] }))}
        open={open}
        onOpen={name => void navigate({ search: name === 'details' ? {} : { tab: name }, replace: true })}
      >
        {/* The key resets the form when another tenant is shown. */}
        <Shown key={tenant.id} tenant={tenant} />
      </AddressTabs>
    </Page>
  )
}
