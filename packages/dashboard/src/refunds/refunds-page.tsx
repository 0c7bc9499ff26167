import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { type Inputs, trpc } from '../api/trpc.ts'
import { isDay } from '../format/day.ts'
import { useWords, words } from '../language/language.tsx'
import { DayFilters } from '../parts/day-filters.tsx'
import { Filters } from '../parts/filters.tsx'
import { NoMatches } from '../parts/no-matches.tsx'
import { Page } from '../parts/page.tsx'
import { Panel } from '../parts/panel.tsx'
import { SelectFilter } from '../parts/select-filter.tsx'
import { Empty } from '../parts/states.tsx'
import { useAccount } from '../session/account.ts'
import { useMode } from '../shell/mode.ts'
import { DataTable } from '../table/data-table.tsx'
import { nextPage, PAGE_SIZE, useEndless } from '../table/endless.ts'
import { knownFilters } from '../table/known-filters.ts'
import { counted, countOptions, ListCount } from '../table/list-count.tsx'
import { onlyOrder, useSorting } from '../table/order.ts'
import { RefundDrawer } from './refund-drawer.tsx'
import { creditedBackWords, refundStatuses, refundStatusWords } from './refund-words.ts'
import { useRefundColumns } from './use-refund-columns.tsx'

const known = { status: refundStatuses, from: isDay, to: isDay }
const useFilters = () => knownFilters(useSearch({ from: '/inside/refunds' }), known)

const text = words({
  en: {
    title: 'Refunds',
    about: 'Money returned to payers: refunds, and chargebacks by their banks.',
    status: 'Status',
    none: { live: 'No live refunds yet', test: 'No test refunds yet' },
    how: {
      client: 'To refund a payment, open it and choose Refund.',
      partner: 'Your clients’ refunds appear here.',
      owner: 'Refunds from all tenants appear here.',
    },
    noneMatches: 'No refunds match the filters',
    count: (count: number, written: string) => (count === 1 ? '1 refund' : `${written} refunds`),
  },
  id: {
    title: 'Pengembalian dana',
    about: 'Dana yang dikembalikan kepada pembayar: pengembalian dana, dan chargeback oleh bank mereka.',
    status: 'Status',
    none: { live: 'Belum ada pengembalian dana live', test: 'Belum ada pengembalian dana uji coba' },
    how: {
      client: 'Untuk mengembalikan dana, buka pembayarannya lalu pilih Kembalikan dana.',
      partner: 'Pengembalian dana klien Anda muncul di sini.',
      owner: 'Pengembalian dana semua tenant muncul di sini.',
    },
    noneMatches: 'Tidak ada pengembalian dana yang cocok dengan filter',
    count: (_: number, written: string) => `${written} pengembalian dana`,
  },
})

export function RefundsPage() {
  const t = useWords(text)
  const search = useFilters()
  const navigate = useNavigate({ from: '/refunds' })
  const { role } = useAccount()
  const [mode] = useMode()
  const [openId, setOpenId] = useState<string>()
  const columns = useRefundColumns(setOpenId)
  const filters = { ...search, mode } as Inputs['refunds']['listDetails']
  const sorting = useSorting()
  const { order } = sorting
  const { data: count } = useQuery(
    trpc.refunds.listDetails.queryOptions({ ...filters, ...counted }, countOptions),
  )
  const list = useEndless(
    useInfiniteQuery(
      trpc.refunds.listDetails.infiniteQueryOptions({ ...filters, order, limit: PAGE_SIZE }, nextPage),
    ),
  )
  return (
    <Page title={t.title} description={t.about}>
      <RefundFilters />
      {list.rows && <ListCount total={count?.total} inWords={t.count} />}
      <Panel isFlush>
        <DataTable
          label={t.title}
          columns={columns}
          {...list}
          sorting={sorting}
          rowKey={({ id }) => id}
          onOpen={({ id }) => setOpenId(id)}
          empty={
            Object.keys(search).length > 0 ? (
              <NoMatches title={t.noneMatches} clear={() => void navigate({ search: onlyOrder })} />
            ) : (
              <Empty title={t.none[mode]}>{t.how[role]}</Empty>
            )
          }
        />
      </Panel>
      <RefundDrawer refund={list.rows?.find(({ id }) => id === openId)} close={() => setOpenId(undefined)} />
    </Page>
  )
}

function RefundFilters() {
  const t = useWords(text)
  const names = useWords(refundStatusWords)
  const { filter } = useWords(creditedBackWords)
  const search = useFilters()
  const navigate = useNavigate({ from: '/refunds' })
  const set = (changed: Partial<typeof search>) =>
    void navigate({ search: before => ({ ...before, ...changed }), replace: true })
  return (
    <Filters active={Object.keys(search).length}>
      <SelectFilter
        label={t.status}
        value={search.status}
        onValue={status => set({ status })}
        data={refundStatuses.map(value => ({ value, label: value === 'failed' ? filter : names[value] }))}
        w={260}
      />
      <DayFilters from={search.from} to={search.to} set={set} />
    </Filters>
  )
}
