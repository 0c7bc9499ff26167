import { Anchor } from '@mantine/core'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { type Inputs, trpc } from '../api/trpc.ts'
import { useFormat } from '../format/format.ts'
import { useWords, words } from '../language/language.tsx'
import { Moment } from '../parts/moment.tsx'
import { NoMatches } from '../parts/no-matches.tsx'
import { Page } from '../parts/page.tsx'
import { Panel } from '../parts/panel.tsx'
import { Empty } from '../parts/states.tsx'
import { Tag } from '../parts/tag.tsx'
import { useMode } from '../shell/mode.ts'
import { type Column, DataTable } from '../table/data-table.tsx'
import { nextPage, PAGE_SIZE, useEndless } from '../table/endless.ts'
import { knownFilters } from '../table/known-filters.ts'
import { counted, countOptions, ListCount } from '../table/list-count.tsx'
import { OnPhone } from '../table/on-phone.tsx'
import { onlyOrder, useSorting } from '../table/order.ts'
import { type ApiRequest, isStatus, methods, toneOf } from './request.ts'
import { RequestDetails } from './request-details.tsx'
import { RequestFilters } from './request-filters.tsx'

const text = words({
  en: {
    title: 'Requests',
    about: 'Requests made with your API keys. Request bodies and credentials are not stored.',
    request: 'Request',
    status: 'Status',
    error: 'Error code',
    duration: 'Duration',
    when: 'Time',
    none: 'No requests yet',
    how: 'A request appears here about a second after your server sends it with an API key.',
    noneMatches: 'No requests match the filters',
    count: (count: number, written: string) => (count === 1 ? '1 request' : `${written} requests`),
  },
  id: {
    title: 'Permintaan',
    about: 'Permintaan yang dikirim dengan kunci API Anda. Isi permintaan dan kredensial tidak disimpan.',
    request: 'Permintaan',
    status: 'Status',
    error: 'Kode galat',
    duration: 'Durasi',
    when: 'Waktu',
    none: 'Belum ada permintaan',
    how: 'Permintaan muncul di sini sekitar satu detik setelah server Anda mengirimnya dengan kunci API.',
    noneMatches: 'Tidak ada permintaan yang cocok dengan filter',
    count: (_: number, written: string) => `${written} permintaan`,
  },
})

export function RequestsPage() {
  const t = useWords(text)
  const search = knownFilters(useSearch({ from: '/inside/requests' }), { status: isStatus, method: methods })
  const navigate = useNavigate({ from: '/requests' })
  const [mode] = useMode()
  const [opened, setOpened] = useState<ApiRequest>()
  const filters = { ...search, mode } as Inputs['requests']['list']
  const sorting = useSorting()
  const { order } = sorting
  const { data: count } = useQuery(trpc.requests.list.queryOptions({ ...filters, ...counted }, countOptions))
  const list = useEndless(
    useInfiniteQuery(
      trpc.requests.list.infiniteQueryOptions({ ...filters, order, limit: PAGE_SIZE }, nextPage),
    ),
  )
  return (
    <Page title={t.title} description={t.about}>
      <RequestFilters />
      {list.rows && <ListCount total={count?.total} inWords={t.count} />}
      <Panel isFlush>
        <DataTable
          label={t.title}
          columns={useColumns(setOpened)}
          {...list}
          sorting={sorting}
          rowKey={request => request.id}
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
      {opened && <RequestDetails of={opened} close={() => setOpened(undefined)} />}
    </Page>
  )
}

function useColumns(open: (request: ApiRequest) => void): Column<ApiRequest>[] {
  const t = useWords(text)
  const format = useFormat()
  return [
    {
      id: 'request',
      header: t.request,
      share: 3.4,
      cell: request => (
        <>
          <Anchor component="button" type="button" fz="sm" onClick={() => open(request)}>
            {request.method} {request.path}
          </Anchor>
          <OnPhone>
            {request.error_code && `${request.error_code} · `}
            <Moment at={request.created_at} />
          </OnPhone>
        </>
      ),
    },
    {
      id: 'status',
      header: t.status,
      share: 0.8,
      cell: request => <Tag tone={toneOf(request)}>{String(request.status)}</Tag>,
    },
    { id: 'error', header: t.error, share: 1.8, hidden: 'tablet', cell: request => request.error_code },
    {
      id: 'duration',
      header: t.duration,
      share: 0.9,
      align: 'end',
      hidden: 'tablet',
      cell: ({ duration_ms }) => `${format.count(duration_ms)} ms`,
    },
    {
      id: 'when',
      header: t.when,
      isSorted: true,
      share: 1.4,
      align: 'end',
      hidden: 'phone',
      cell: ({ created_at }) => <Moment at={created_at} />,
    },
  ]
}
