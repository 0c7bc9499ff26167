import { Button, Modal } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconPlus } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { type Outputs, trpc } from '../api/trpc.ts'
import { useWords, words } from '../language/language.tsx'
import { ModeTag } from '../parts/mode-tag.tsx'
import { Moment } from '../parts/moment.tsx'
import { Panel } from '../parts/panel.tsx'
import { Empty, Pending } from '../parts/states.tsx'
import { Tag } from '../parts/tag.tsx'
import { type Column, DataTable } from '../table/data-table.tsx'
import { nextPage, PAGE_SIZE, useEndless } from '../table/endless.ts'
import { RevokeButton } from './revoke-button.tsx'
import type { Tenant } from './tenant-words.ts'

const NewKeyForm = lazy(() =>
  import('./new-key-form.tsx').then(({ NewKeyForm }) => ({ default: NewKeyForm })),
)

const text = words({
  en: {
    title: 'API keys',
    create: 'New API key',
    creating: (name: string) => `New API key of ${name}`,
    name: 'Name',
    mode: 'Mode',
    prefix: 'Begins with',
    used: 'Last used',
    never: 'Never',
    state: 'State',
    works: 'Works',
    ends: 'Being replaced',
    over: 'Revoked',
    act: 'Actions',
    none: 'No API keys yet',
    how: 'Its server creates payments with one: a test key to try, a live key to move real money.',
  },
  id: {
    title: 'Kunci API',
    create: 'Kunci API baru',
    creating: (name: string) => `Kunci API baru ${name}`,
    name: 'Nama',
    mode: 'Mode',
    prefix: 'Diawali',
    used: 'Terakhir dipakai',
    never: 'Belum pernah',
    state: 'Keadaan',
    works: 'Berlaku',
    ends: 'Sedang diganti',
    over: 'Dicabut',
    act: 'Tindakan',
    none: 'Belum ada kunci API',
    how: 'Servernya membuat pembayaran dengan kunci: kunci uji untuk mencoba, kunci live untuk dana sungguhan.',
  },
})

type Key = Outputs['keys']['list']['items'][number]

export function TenantKeys({ tenant }: { tenant: Tenant }) {
  const t = useWords(text)
  const [isCreating, { open, close }] = useDisclosure()
  const list = useEndless(
    useInfiniteQuery(
      trpc.keys.list.infiniteQueryOptions({ tenant_id: tenant.id, limit: PAGE_SIZE }, nextPage),
    ),
  )
  return (
    <Panel
      isFlush
      title={t.title}
      actions={
        <Button size="xs" leftSection={<IconPlus size={14} />} onClick={open}>
          {t.create}
        </Button>
      }
    >
      <DataTable
        label={t.title}
        columns={useColumns(tenant)}
        {...list}
        rowKey={({ id }) => id}
        empty={<Empty title={t.none}>{t.how}</Empty>}
      />
      <Modal opened={isCreating} onClose={close} title={t.creating(tenant.name)} centered>
        <Suspense fallback={<Pending />}>
          <NewKeyForm tenantId={tenant.id} />
        </Suspense>
      </Modal>
    </Panel>
  )
}

const isOver = ({ revoked_at, expires_at }: Key) =>
  revoked_at !== null || (expires_at !== null && Date.parse(expires_at) <= Date.now())

function useColumns(tenant: Tenant): Column<Key>[] {
  const t = useWords(text)
  return [
    { id: 'name', header: t.name, share: 1.5, cell: ({ name }) => <span title={name}>{name}</span> },
    { id: 'mode', header: t.mode, share: 0.8, cell: ({ mode }) => <ModeTag mode={mode} /> },
    {
      id: 'prefix',
      header: t.prefix,
      share: 1.3,
      hidden: 'tablet',
      cell: ({ display_prefix }) => <span className="mono">{display_prefix}…</span>,
    },
    {
      id: 'used',
      header: t.used,
      share: 1.4,
      hidden: 'phone',
      cell: ({ last_used_at }) => (last_used_at ? <Moment at={last_used_at} /> : t.never),
    },
    {
      id: 'state',
      header: t.state,
      share: 1.2,
      hidden: 'phone',
      cell: key =>
        isOver(key) ? (
          <Tag tone="over">{t.over}</Tag>
        ) : (
          <Tag tone={key.expires_at ? 'doubt' : 'good'}>{key.expires_at ? t.ends : t.works}</Tag>
        ),
    },
    {
      id: 'act',
      header: t.act,
      share: 1,
      align: 'end',
      cell: key => !isOver(key) && <RevokeButton tenantId={tenant.id} apiKey={key} />,
    },
  ]
}
