import { Button, Group } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconPlus } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { type Outputs, trpc } from '../api/trpc.ts'
import { useWords, words } from '../language/language.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { Moment } from '../parts/moment.tsx'
import { Panel } from '../parts/panel.tsx'
import { Empty, Pending } from '../parts/states.tsx'
import { type Column, DataTable } from '../table/data-table.tsx'
import { nextPage, PAGE_SIZE, useEndless } from '../table/endless.ts'
import type { Tenant } from './tenant-words.ts'

const NewUserForm = lazy(() =>
  import('./new-user-form.tsx').then(({ NewUserForm }) => ({ default: NewUserForm })),
)

const text = words({
  en: {
    title: 'Users',
    add: 'Add user',
    adding: (name: string) => `New user of ${name}`,
    stored: 'I have stored the password',
    email: 'Email address',
    created: 'Added',
    none: 'No users yet',
    how: 'Add a user, then give the user the password, which is shown only once.',
  },
  id: {
    title: 'Pengguna',
    add: 'Tambah pengguna',
    adding: (name: string) => `Pengguna baru ${name}`,
    stored: 'Kata sandi sudah saya simpan',
    email: 'Alamat email',
    created: 'Ditambahkan',
    none: 'Belum ada pengguna',
    how: 'Tambahkan pengguna, lalu berikan kata sandinya, yang hanya ditampilkan satu kali.',
  },
})

export function TenantUsers({ tenant }: { tenant: Tenant }) {
  const t = useWords(text)
  const [isAdding, { open, close }] = useDisclosure()
  const list = useEndless(
    useInfiniteQuery(
      trpc.users.list.infiniteQueryOptions({ tenant_id: tenant.id, limit: PAGE_SIZE }, nextPage),
    ),
  )
  return (
    <Panel
      isFlush
      title={t.title}
      actions={
        <Button size="xs" leftSection={<IconPlus size={14} />} onClick={open}>
          {t.add}
        </Button>
      }
    >
      <DataTable
        label={t.title}
        columns={useColumns()}
        {...list}
        rowKey={({ id }) => id}
        empty={<Empty title={t.none}>{t.how}</Empty>}
      />
      {isAdding && <NewTenantUser tenant={tenant} close={close} />}
    </Panel>
  )
}

function NewTenantUser({ tenant, close }: { tenant: Tenant; close: () => void }) {
  const t = useWords(text)
  const [isCreated, setCreated] = useState(false)
  return (
    <Dialog isKept={isCreated} onClose={close} title={t.adding(tenant.name)}>
      <Suspense fallback={<Pending />}>
        <NewUserForm tenantId={tenant.id} onCreated={() => setCreated(true)} />
      </Suspense>
      {isCreated && (
        <Group justify="flex-end" mt="md">
          <Button onClick={close}>{t.stored}</Button>
        </Group>
      )}
    </Dialog>
  )
}

function useColumns(): Column<Outputs['users']['list']['items'][number]>[] {
  const t = useWords(text)
  return [
    { id: 'email', header: t.email, share: 2, cell: ({ email }) => <span title={email}>{email}</span> },
    {
      id: 'created',
      header: t.created,
      align: 'end',
      cell: ({ created_at }) => <Moment at={created_at} />,
    },
  ]
}
