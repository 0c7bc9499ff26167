import { Text } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { type Outputs, trpc } from '../api/trpc.ts'
import { useWords, words } from '../language/language.tsx'
import { Moment } from '../parts/moment.tsx'
import { Panel } from '../parts/panel.tsx'
import { Empty } from '../parts/states.tsx'
import { Tag } from '../parts/tag.tsx'
import { type Account, useAccount } from '../session/account.ts'
import { type Column, DataTable } from '../table/data-table.tsx'
import { nextPage, PAGE_SIZE, useEndless } from '../table/endless.ts'

type User = Outputs['users']['listOwn']['items'][number]

const text = words({
  en: {
    title: 'Users',
    email: 'Email address',
    added: 'Added',
    you: 'You',
    none: 'No users',
    adds: {
      client: 'Your partner adds users for you. If you have no partner, the operator of Gapura adds them.',
      partner:
        'The operator of Gapura adds users for you. You add users of your clients on the page of each client.',
      owner: 'Add users of other tenants on the page of each tenant.',
    },
  },
  id: {
    title: 'Pengguna',
    email: 'Alamat email',
    added: 'Ditambahkan',
    you: 'Anda',
    none: 'Belum ada pengguna',
    adds: {
      client:
        'Pengguna ditambahkan oleh mitra Anda. Jika tidak ada mitra, operator Gapura yang menambahkannya.',
      partner:
        'Operator Gapura menambahkan pengguna untuk Anda. Anda menambahkan pengguna klien di halaman setiap klien.',
      owner: 'Tambahkan pengguna tenant lain di halaman setiap tenant.',
    },
  },
} satisfies Record<'en' | 'id', { adds: Record<Account['role'], string>; [name: string]: unknown }>)

export function UserList() {
  const t = useWords(text)
  const { role } = useAccount()
  const list = useEndless(
    useInfiniteQuery(trpc.users.listOwn.infiniteQueryOptions({ limit: PAGE_SIZE }, nextPage)),
  )
  return (
    <Panel isFlush>
      <DataTable
        label={t.title}
        columns={useColumns()}
        {...list}
        rowKey={user => user.id}
        empty={<Empty title={t.none} />}
      />
      <Text size="sm" c="dimmed" px="lg" py="md">
        {t.adds[role]}
      </Text>
    </Panel>
  )
}

function useColumns(): Column<User>[] {
  const t = useWords(text)
  const { user: self } = useAccount()
  return [
    {
      id: 'email',
      header: t.email,
      share: 2.4,
      cell: ({ id, email }) => (
        <span title={email}>
          {email} {id === self.id && <Tag tone="over">{t.you}</Tag>}
        </span>
      ),
    },
    {
      id: 'added',
      header: t.added,
      align: 'end',
      hidden: 'phone',
      cell: ({ created_at }) => <Moment at={created_at} />,
    },
  ]
}
