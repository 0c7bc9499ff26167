import { Anchor, Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { trpc } from '../api/trpc.ts'
import { useWords, words } from '../language/language.tsx'
import { ModeTag } from '../parts/mode-tag.tsx'
import { Moment } from '../parts/moment.tsx'
import { Panel } from '../parts/panel.tsx'
import { Empty } from '../parts/states.tsx'
import { Tag } from '../parts/tag.tsx'
import { useIsPermitted } from '../session/account.ts'
import { type Column, DataTable } from '../table/data-table.tsx'
import { nextPage, PAGE_SIZE, useEndless } from '../table/endless.ts'
import { ListCount, loaded } from '../table/list-count.tsx'
import type { Account } from './account.ts'
import { AccountDrawer } from './account-drawer.tsx'
import type { Provider } from './providers.ts'

const NewAccount = lazy(() => import('./new-account.tsx').then(({ NewAccount }) => ({ default: NewAccount })))

const text = words({
  en: {
    create: 'New account',
    name: 'Name',
    mode: 'Mode',
    status: 'Status',
    enabled: 'Enabled',
    disabled: 'Disabled',
    created: 'Created',
    none: (provider: string) => `No accounts at ${provider} yet`,
    count: (count: number, written: string) => (count === 1 ? '1 account' : `${written} accounts`),
    how: 'The provider gives you credentials when you sign a contract. Add them here, then give tenants access to the account.',
  },
  id: {
    create: 'Akun baru',
    name: 'Nama',
    mode: 'Mode',
    status: 'Status',
    enabled: 'Aktif',
    disabled: 'Nonaktif',
    created: 'Dibuat',
    none: (provider: string) => `Belum ada akun di ${provider}`,
    count: (_: number, written: string) => `${written} akun`,
    how: 'Penyedia memberi Anda kredensial setelah kontrak ditandatangani. Tambahkan di sini, lalu beri tenant akses ke akun itu.',
  },
})

export function AccountList({ provider }: { provider: Provider }) {
  const t = useWords(text)
  const isAdmin = useIsPermitted('admin')
  const [isCreating, setCreating] = useState(false)
  const [openId, setOpenId] = useState<string>()
  const list = useEndless(
    useInfiniteQuery(
      trpc.providers.list.infiniteQueryOptions({ provider_code: provider.code, limit: PAGE_SIZE }, nextPage),
    ),
  )
  return (
    <Panel
      isFlush
      title={provider.name}
      actions={
        isAdmin && (
          <Button size="xs" leftSection={<IconPlus size={14} />} onClick={() => setCreating(true)}>
            {t.create}
          </Button>
        )
      }
    >
      <ListCount total={loaded(list)} inWords={t.count} isInPanel />
      <DataTable
        label={provider.name}
        columns={useColumns(setOpenId)}
        {...list}
        rowKey={({ id }) => id}
        onOpen={({ id }) => setOpenId(id)}
        empty={<Empty title={t.none(provider.name)}>{t.how}</Empty>}
      />
      <AccountDrawer
        provider={provider}
        account={list.rows?.find(({ id }) => id === openId)}
        close={() => setOpenId(undefined)}
      />
      <Suspense>
        {isCreating && (
          <NewAccount
            provider={provider}
            close={() => setCreating(false)}
            onCreated={({ id }) => {
              setCreating(false)
              setOpenId(id)
            }}
          />
        )}
      </Suspense>
    </Panel>
  )
}

function useColumns(open: (id: string) => void): Column<Account>[] {
  const t = useWords(text)
  return [
    {
      id: 'name',
      header: t.name,
      share: 2.5,
      cell: ({ id, name }) => (
        <Anchor component="button" type="button" inherit title={name} onClick={() => open(id)}>
          {name}
        </Anchor>
      ),
    },
    { id: 'mode', header: t.mode, share: 0.9, hidden: 'phone', cell: ({ mode }) => <ModeTag mode={mode} /> },
    {
      id: 'status',
      header: t.status,
      share: 1.1,
      cell: ({ enabled }) => <Tag tone={enabled ? 'good' : 'over'}>{enabled ? t.enabled : t.disabled}</Tag>,
    },
    {
      id: 'created',
      header: t.created,
      share: 1.3,
      align: 'end',
      hidden: 'phone',
      cell: ({ created_at }) => <Moment at={created_at} />,
    },
  ]
}
