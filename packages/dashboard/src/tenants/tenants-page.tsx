import { Button, Group } from '@mantine/core'
import { IconPlus, IconSearch } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { type Inputs, trpc } from '../api/trpc.ts'
import { useWords, words } from '../language/language.tsx'
import { TextLink } from '../parts/links.tsx'
import { Moment } from '../parts/moment.tsx'
import { NoMatches } from '../parts/no-matches.tsx'
import { Page } from '../parts/page.tsx'
import { Panel } from '../parts/panel.tsx'
import { SearchInput } from '../parts/search-input.tsx'
import { SelectFilter } from '../parts/select-filter.tsx'
import { Empty } from '../parts/states.tsx'
import { useAccount, useIsPermitted } from '../session/account.ts'
import { type Column, DataTable } from '../table/data-table.tsx'
import { nextPage, PAGE_SIZE, useEndless } from '../table/endless.ts'
import { knownFilters } from '../table/known-filters.ts'
import { ListCount, loaded } from '../table/list-count.tsx'
import { TenantLink } from './tenant-link.tsx'
import { TenantStatusTag } from './tenant-status-tag.tsx'
import { roleWords, type Tenant, tierWords } from './tenant-words.ts'
import classes from './tenants-page.module.css'

const NewTenant = lazy(() => import('./new-tenant.tsx').then(({ NewTenant }) => ({ default: NewTenant })))

const text = words({
  en: {
    title: { owner: 'Tenants', partner: 'Clients', client: 'Clients' },
    about: {
      owner:
        'Clients are merchants whose payments Gapura processes. Partners are resellers that manage their own clients.',
      partner: 'Your merchants. Each has its own payments, API keys and users.',
      client: '',
    },
    create: { owner: 'New tenant', partner: 'New client', client: '' },
    search: 'Search',
    searchHint: 'Part of the name',
    name: 'Name',
    role: 'Role',
    tier: 'Tier',
    status: 'Status',
    parent: 'Partner',
    created: 'Created',
    none: 'Nothing here yet',
    how: 'Add your first merchant with the button above. Its users can then log in and create API keys.',
    noneMatches: 'Nothing matches the filters',
    count: {
      owner: (count: number, written: string) => (count === 1 ? '1 tenant' : `${written} tenants`),
      partner: (count: number, written: string) => (count === 1 ? '1 client' : `${written} clients`),
      client: () => '',
    },
  },
  id: {
    title: { owner: 'Tenant', partner: 'Klien', client: 'Klien' },
    about: {
      owner:
        'Klien adalah merchant yang pembayarannya diproses Gapura. Mitra adalah reseller yang mengelola kliennya sendiri.',
      partner: 'Merchant Anda. Masing-masing memiliki pembayaran, kunci API, dan pengguna sendiri.',
      client: '',
    },
    create: { owner: 'Tenant baru', partner: 'Klien baru', client: '' },
    search: 'Cari',
    searchHint: 'Bagian dari nama',
    name: 'Nama',
    role: 'Peran',
    tier: 'Paket',
    status: 'Status',
    parent: 'Mitra',
    created: 'Dibuat',
    none: 'Belum ada data',
    how: 'Tambahkan merchant pertama Anda dengan tombol di atas. Penggunanya lalu dapat masuk dan membuat kunci API.',
    noneMatches: 'Tidak ada yang cocok dengan filter',
    count: {
      owner: (_: number, written: string) => `${written} tenant`,
      partner: (_: number, written: string) => `${written} klien`,
      client: () => '',
    },
  },
})

const shownRoles = ['partner', 'client'] as const

export function TenantsPage() {
  const t = useWords(text)
  const { role } = useAccount()
  const isAdmin = useIsPermitted('admin')
  const search = knownFilters(useSearch({ from: '/inside/tenants' }), { role: shownRoles })
  const navigate = useNavigate({ from: '/tenants' })
  const [isCreating, setCreating] = useState(false)
  const filters = search as Inputs['tenants']['list']
  const list = useEndless(
    useInfiniteQuery(trpc.tenants.list.infiniteQueryOptions({ ...filters, limit: PAGE_SIZE }, nextPage)),
  )
  return (
    <Page
      title={t.title[role]}
      description={t.about[role]}
      actions={
        isAdmin && (
          <Button leftSection={<IconPlus size={16} />} onClick={() => setCreating(true)}>
            {t.create[role]}
          </Button>
        )
      }
    >
      <Filters />
      <ListCount total={loaded(list)} inWords={t.count[role]} />
      <Panel isFlush>
        <DataTable
          label={t.title[role]}
          columns={useColumns()}
          {...list}
          rowKey={({ id }) => id}
          onOpen={({ id }) => void navigate({ to: '/tenants/$tenantId', params: { tenantId: id } })}
          empty={
            Object.keys(search).length > 0 ? (
              <NoMatches title={t.noneMatches} clear={() => void navigate({ search: {} })} />
            ) : (
              <Empty title={t.none}>{isAdmin && t.how}</Empty>
            )
          }
        />
      </Panel>
      <Suspense>{isCreating && <NewTenant close={() => setCreating(false)} />}</Suspense>
    </Page>
  )
}

function useColumns(): Column<Tenant>[] {
  const t = useWords(text)
  const roles = useWords(roleWords)
  const tiers = useWords(tierWords)
  const isOwner = useAccount().role === 'owner'
  const ofOwner: Column<Tenant>[] = [
    { id: 'role', header: t.role, share: 0.8, hidden: 'phone', cell: ({ role }) => roles[role] },
    {
      id: 'parent',
      header: t.parent,
      share: 1.5,
      hidden: 'tablet',
      cell: ({ parent_id }) => parent_id && <TenantLink id={parent_id} />,
    },
  ]
  return [
    {
      id: 'name',
      header: t.name,
      share: 2,
      cell: ({ id, name }) => (
        <TextLink to="/tenants/$tenantId" params={{ tenantId: id }} title={name} inherit>
          {name}
        </TextLink>
      ),
    },
    { id: 'status', header: t.status, share: 1, cell: ({ status }) => <TenantStatusTag status={status} /> },
    ...(isOwner ? ofOwner : []),
    { id: 'tier', header: t.tier, share: 0.9, hidden: 'phone', cell: ({ tier }) => tiers[tier] },
    {
      id: 'created',
      header: t.created,
      share: 1.4,
      align: 'end',
      hidden: 'phone',
      cell: ({ created_at }) => <Moment at={created_at} />,
    },
  ]
}

function Filters() {
  const t = useWords(text)
  const roles = useWords(roleWords)
  const isOwner = useAccount().role === 'owner'
  const search = useSearch({ from: '/inside/tenants' })
  const navigate = useNavigate({ from: '/tenants' })
  const set = (changed: Partial<typeof search>) =>
    void navigate({ search: before => ({ ...before, ...changed }), replace: true })
  return (
    <Group gap="sm" align="flex-end" role="search">
      <SearchInput
        label={t.search}
        placeholder={t.searchHint}
        leftSection={<IconSearch size={16} />}
        value={search.q}
        onSearch={q => set({ q })}
        className={classes.search}
      />
      {isOwner && (
        <SelectFilter
          label={t.role}
          value={search.role}
          onValue={role => set({ role })}
          data={shownRoles.map(value => ({ value, label: roles[value] }))}
          w={150}
        />
      )}
    </Group>
  )
}
