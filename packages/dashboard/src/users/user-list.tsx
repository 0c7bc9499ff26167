import { useInfiniteQuery } from '@tanstack/react-query'
import { trpc } from '../api/trpc.ts'
import { useWords, words } from '../language/language.tsx'
import { Panel } from '../parts/panel.tsx'
import { Empty } from '../parts/states.tsx'
import { useAccount } from '../session/account.ts'
import { DataTable } from '../table/data-table.tsx'
import { nextPage, PAGE_SIZE, useEndless } from '../table/endless.ts'
import { ListCount, loaded } from '../table/list-count.tsx'
import { useUserColumns } from './use-user-columns.tsx'

const text = words({
  en: {
    title: 'Users',
    none: 'No users',
    count: (count: number, written: string) => (count === 1 ? '1 user' : `${written} users`),
  },
  id: {
    title: 'Pengguna',
    none: 'Belum ada pengguna',
    count: (_: number, written: string) => `${written} pengguna`,
  },
})

export function UserList() {
  const t = useWords(text)
  const { id } = useAccount()
  const list = useEndless(
    useInfiniteQuery(trpc.users.listOwn.infiniteQueryOptions({ limit: PAGE_SIZE }, nextPage)),
  )
  return (
    <>
      <ListCount total={loaded(list)} inWords={t.count} />
      <Panel isFlush>
        <DataTable
          label={t.title}
          columns={useUserColumns(id)}
          {...list}
          rowKey={user => user.id}
          empty={<Empty title={t.none} />}
        />
      </Panel>
    </>
  )
}
