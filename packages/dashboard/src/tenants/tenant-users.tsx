import { useInfiniteQuery } from '@tanstack/react-query'
import { trpc } from '../api/trpc.ts'
import { useWords, words } from '../language/language.tsx'
import { Panel } from '../parts/panel.tsx'
import { Empty } from '../parts/states.tsx'
import { DataTable } from '../table/data-table.tsx'
import { nextPage, PAGE_SIZE, useEndless } from '../table/endless.ts'
import { ListCount, loaded } from '../table/list-count.tsx'
import { InviteButton } from '../users/invite-button.tsx'
import { useUserColumns } from '../users/use-user-columns.tsx'
import type { Tenant } from './tenant-words.ts'

const text = words({
  en: {
    title: 'Users',
    none: 'No users yet',
    count: (count: number, written: string) => (count === 1 ? '1 user' : `${written} users`),
    how: 'Invite the first user, who then invites colleagues.',
  },
  id: {
    title: 'Pengguna',
    none: 'Belum ada pengguna',
    count: (_: number, written: string) => `${written} pengguna`,
    how: 'Undang pengguna pertama, yang lalu dapat mengundang rekan-rekannya.',
  },
})

export function TenantUsers({ tenant }: { tenant: Tenant }) {
  const t = useWords(text)
  const list = useEndless(
    useInfiniteQuery(
      trpc.users.list.infiniteQueryOptions({ tenant_id: tenant.id, limit: PAGE_SIZE }, nextPage),
    ),
  )
  return (
    <Panel isFlush title={t.title} actions={<InviteButton tenantId={tenant.id} size="xs" />}>
      <ListCount total={loaded(list)} inWords={t.count} isInPanel />
      <DataTable
        label={t.title}
        columns={useUserColumns(tenant.id)}
        {...list}
        rowKey={({ id }) => id}
        empty={<Empty title={t.none}>{t.how}</Empty>}
      />
    </Panel>
  )
}
