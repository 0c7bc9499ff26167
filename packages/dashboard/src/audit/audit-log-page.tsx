import { Anchor } from '@mantine/core'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { trpc } from '../api/trpc.ts'
import { isDay } from '../format/day.ts'
import { useWords, words } from '../language/language.tsx'
import { Moment } from '../parts/moment.tsx'
import { NoMatches } from '../parts/no-matches.tsx'
import { Page } from '../parts/page.tsx'
import { Panel } from '../parts/panel.tsx'
import { Empty } from '../parts/states.tsx'
import { useAccount } from '../session/account.ts'
import { type Column, DataTable } from '../table/data-table.tsx'
import { nextPage, PAGE_SIZE, useEndless } from '../table/endless.ts'
import { knownFilters } from '../table/known-filters.ts'
import { counted, countOptions, ListCount } from '../table/list-count.tsx'
import { OnPhone } from '../table/on-phone.tsx'
import { onlyOrder, useSorting } from '../table/order.ts'
import { TenantName } from '../tenants/tenant-name.tsx'
import { Act } from './act.tsx'
import { Actor } from './actor.tsx'
import { AuditFilters } from './audit-filters.tsx'
import type { Entry } from './entry.ts'
import { EntryDetails } from './entry-details.tsx'
import { Subject } from './subject.tsx'

const text = words({
  en: {
    title: 'Audit log',
    about: 'Every administrative action: who did what, and what changed. Entries cannot be changed.',
    when: 'Time',
    who: 'Performed by',
    what: 'Action',
    subject: 'Object',
    tenant: 'Tenant',
    noneMatches: 'No entries match the filters',
    count: (count: number, written: string) => (count === 1 ? '1 entry' : `${written} entries`),
    none: 'No entries yet',
    how: 'An entry appears here when someone creates an API key, changes a setting or decides what happens to money.',
  },
  id: {
    title: 'Log audit',
    about:
      'Setiap tindakan administratif: siapa melakukan apa, dan apa yang berubah. Catatan tidak dapat diubah.',
    when: 'Waktu',
    who: 'Pelaku',
    what: 'Tindakan',
    subject: 'Objek',
    tenant: 'Tenant',
    noneMatches: 'Tidak ada catatan yang cocok dengan filter',
    count: (_: number, written: string) => `${written} catatan`,
    none: 'Belum ada catatan',
    how: 'Catatan muncul di sini saat seseorang membuat kunci API, mengubah pengaturan, atau memutuskan penanganan dana.',
  },
})

export function AuditLogPage() {
  const t = useWords(text)
  const search = knownFilters(useSearch({ from: '/inside/audit-log' }), { from: isDay, to: isDay })
  const navigate = useNavigate({ from: '/audit-log' })
  const [opened, setOpened] = useState<Entry>()
  const sorting = useSorting()
  const { order } = sorting
  const { data: count } = useQuery(trpc.audit.list.queryOptions({ ...search, ...counted }, countOptions))
  const list = useEndless(
    useInfiniteQuery(trpc.audit.list.infiniteQueryOptions({ ...search, order, limit: PAGE_SIZE }, nextPage)),
  )
  return (
    <Page title={t.title} description={t.about}>
      <AuditFilters />
      {list.rows && <ListCount total={count?.total} inWords={t.count} />}
      <Panel isFlush>
        <DataTable
          label={t.title}
          columns={useColumns(setOpened)}
          {...list}
          sorting={sorting}
          rowKey={entry => entry.id}
          onOpen={setOpened}
          empty={
            Object.keys(search).length > 0 ? (
              <NoMatches title={t.noneMatches} clear={() => void navigate({ search: onlyOrder })} />
            ) : (
              <Empty title={t.none}>{t.how}</Empty>
            )
          }
        />
      </Panel>
      {opened && <EntryDetails of={opened} close={() => setOpened(undefined)} />}
    </Page>
  )
}

function useColumns(open: (entry: Entry) => void): Column<Entry>[] {
  const t = useWords(text)
  const { role } = useAccount()
  const ofTenant: Column<Entry> = {
    id: 'tenant',
    header: t.tenant,
    share: 1.4,
    hidden: 'tablet',
    cell: ({ tenant_id }) => tenant_id && <TenantName id={tenant_id} />,
  }
  return [
    {
      id: 'what',
      header: t.what,
      share: 2.2,
      cell: entry => (
        <>
          <Anchor component="button" type="button" fz="sm" onClick={() => open(entry)}>
            <Act of={entry} />
          </Anchor>
          <OnPhone>
            <Subject of={entry} />
          </OnPhone>
          <OnPhone>
            <Actor of={entry} /> · <Moment at={entry.at} />
          </OnPhone>
        </>
      ),
    },
    { id: 'subject', header: t.subject, share: 2, hidden: 'tablet', cell: entry => <Subject of={entry} /> },
    ...(role === 'client' ? [] : [ofTenant]),
    { id: 'who', header: t.who, share: 1.7, hidden: 'phone', cell: entry => <Actor of={entry} /> },
    {
      id: 'when',
      header: t.when,
      isSorted: true,
      share: 1.4,
      align: 'end',
      hidden: 'phone',
      cell: ({ at }) => <Moment at={at} />,
    },
  ]
}
