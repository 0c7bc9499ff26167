import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import type { ComponentType } from 'react'
import { trpc } from '../api/trpc.ts'
import { useHasFees } from '../fees/has-fees.ts'
import { TenantFees } from '../fees/tenant-fees.tsx'
import { useWords, words } from '../language/language.tsx'
import { TenantLimits } from '../limits/tenant-limits.tsx'
import { AddressTabs } from '../parts/address-tabs.tsx'
import { TextLink } from '../parts/links.tsx'
import { Page } from '../parts/page.tsx'
import { Failure, Pending } from '../parts/states.tsx'
import { Entitlements } from '../routing/entitlements.tsx'
import { TenantRouting } from '../routing/tenant-routing.tsx'
import { useAccount, useIsPermitted } from '../session/account.ts'
import { TenantPayments } from '../support/tenant-payments.tsx'
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
    payments: 'Payments',
    figures: 'Figures',
    keys: 'API keys',
    users: 'Users',
    entitlements: 'Provider accounts',
    routing: 'Routing',
    fees: 'Fees',
    limits: 'Request limits',
  },
  id: {
    back: { owner: 'Semua tenant', partner: 'Semua klien', client: '' },
    parts: 'Bagian halaman ini',
    details: 'Rincian',
    payments: 'Pembayaran',
    figures: 'Statistik',
    keys: 'Kunci API',
    users: 'Pengguna',
    entitlements: 'Akun penyedia',
    routing: 'Perutean',
    fees: 'Biaya',
    limits: 'Batas permintaan',
  },
})

const tabs = {
  details: TenantDetails,
  payments: TenantPayments,
  figures: TenantFigures,
  keys: TenantKeys,
  users: TenantUsers,
  entitlements: Entitlements,
  routing: TenantRouting,
  fees: TenantFees,
  limits: TenantLimits,
} satisfies Record<string, ComponentType<{ tenant: Tenant }>>
type Name = keyof typeof tabs
type Sees = { isDeveloper: boolean; seesFees: boolean }
const namesOf = (role: Tenant['role'], viewer: Tenant['role'], { isDeveloper, seesFees }: Sees): Name[] => [
  ...(role === 'client'
    ? ([
        'details',
        'payments',
        'figures',
        ...(isDeveloper ? (['keys'] as const) : []),
        'users',
        'entitlements',
        'routing',
      ] as const)
    : // Only a tenant with the role Client accepts payments.
      (['details', 'users', ...(role === 'partner' ? (['entitlements'] as const) : [])] as const)),
  ...(role !== 'owner' && seesFees ? (['fees'] as const) : []),
  ...(viewer === 'owner' ? (['limits'] as const) : []),
]

export function TenantPage() {
  const t = useWords(text)
  const { role } = useAccount()
  const isDeveloper = useIsPermitted('developer')
  // Admins always see the fee section, because they can set the first fees. Other users see it only if there are
  // fees.
  const isAdmin = useIsPermitted('admin')
  const hasFees = useHasFees()
  const { tenantId } = useParams({ from: '/inside/tenants/$tenantId' })
  const { tab } = useSearch({ from: '/inside/tenants/$tenantId' })
  const navigate = useNavigate({ from: '/tenants/$tenantId' })
  const { data: tenant, error, refetch } = useQuery(trpc.tenants.get.queryOptions({ tenant_id: tenantId }))
  if (error && !tenant) return <Failure error={error} retry={() => void refetch()} />
  if (!tenant) return <Pending />
  const names = namesOf(tenant.role, role, { isDeveloper, seesFees: isAdmin || hasFees })
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
        {/* The tenant's ID is React's `key`, so the form is reset when another tenant is shown. */}
        <Shown key={tenant.id} tenant={tenant} />
      </AddressTabs>
    </Page>
  )
}
