import { Anchor, Stack } from '@mantine/core'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { trpc } from '../api/trpc.ts'
import { useFormat } from '../format/format.ts'
import { useWords, words } from '../language/language.tsx'
import { Moment } from '../parts/moment.tsx'
import { Panel } from '../parts/panel.tsx'
import { Empty } from '../parts/states.tsx'
import { Tag } from '../parts/tag.tsx'
import { kindTones, kindWords } from '../reconciliation/reconciliation-words.ts'
import { useDetail } from '../reconciliation/use-detail.ts'
import { useMode } from '../shell/mode.ts'
import { type Column, DataTable } from '../table/data-table.tsx'
import { nextPage, PAGE_SIZE, useEndless } from '../table/endless.ts'
import { counted, countOptions, ListCount } from '../table/list-count.tsx'
import { OnPhone } from '../table/on-phone.tsx'
import { useSorting } from '../table/order.ts'
import { DifferenceDrawer } from './difference-drawer.tsx'
import type { KeptDifference } from './inbox-words.ts'
import { RunAlert } from './run-alert.tsx'

const text = words({
  en: {
    label: 'Differences',
    payment: 'Payment',
    kind: 'Type',
    detail: 'What differs',
    ours: 'Gapura',
    theirs: 'Provider',
    found: 'Found',
    none: 'No open differences',
    count: (count: number, written: string) => (count === 1 ? '1 difference' : `${written} differences`),
    how: 'Every morning, Gapura compares the previous day’s payments with the ledger and the providers. A difference stays here until the records agree or you close it.',
  },
  id: {
    label: 'Selisih',
    payment: 'Pembayaran',
    kind: 'Jenis',
    detail: 'Yang berbeda',
    ours: 'Gapura',
    theirs: 'Penyedia',
    found: 'Ditemukan',
    none: 'Tidak ada selisih yang terbuka',
    count: (_: number, written: string) => `${written} selisih`,
    how: 'Setiap pagi, Gapura mencocokkan pembayaran hari sebelumnya dengan buku besar dan penyedia. Selisih tetap di sini sampai datanya cocok atau Anda menutupnya.',
  },
})

export function DifferenceList() {
  const t = useWords(text)
  const [open, setOpen] = useState<KeptDifference>()
  const [mode] = useMode()
  const filters = { mode, status: 'open' } as const
  const sorting = useSorting()
  const { order } = sorting
  const { data: count } = useQuery(
    trpc.reconciliation.listDifferences.queryOptions({ ...filters, ...counted }, countOptions),
  )
  const list = useEndless(
    useInfiniteQuery(
      trpc.reconciliation.listDifferences.infiniteQueryOptions(
        { ...filters, order, limit: PAGE_SIZE },
        nextPage,
      ),
    ),
  )
  return (
    <Stack>
      <RunAlert />
      {list.rows && <ListCount total={count?.total} inWords={t.count} />}
      <Panel isFlush>
        <DataTable
          label={t.label}
          columns={useColumns(setOpen)}
          {...list}
          sorting={sorting}
          rowKey={({ id }) => id}
          onOpen={setOpen}
          empty={<Empty title={t.none}>{t.how}</Empty>}
        />
        <DifferenceDrawer difference={open} close={() => setOpen(undefined)} />
      </Panel>
    </Stack>
  )
}

function useColumns(open: (difference: KeptDifference) => void): Column<KeptDifference>[] {
  const t = useWords(text)
  const kinds = useWords(kindWords)
  const inWords = useDetail()
  const format = useFormat()
  const sum = (cents: number | null) => (cents === null ? '–' : format.money(cents))
  return [
    {
      id: 'payment',
      header: t.payment,
      share: 1.7,
      cell: one => (
        <>
          <Anchor component="button" type="button" className="mono" onClick={() => open(one)}>
            {one.payment_code ?? one.reference}
          </Anchor>
          <OnPhone>
            <Moment at={one.found_at} />
          </OnPhone>
        </>
      ),
    },
    {
      id: 'kind',
      header: t.kind,
      share: 1.4,
      cell: ({ kind }) => <Tag tone={kindTones[kind]}>{kinds[kind]}</Tag>,
    },
    {
      id: 'detail',
      header: t.detail,
      share: 2.4,
      hidden: 'tablet',
      cell: ({ detail }) => inWords(detail),
    },
    {
      id: 'ours',
      header: t.ours,
      share: 1.1,
      align: 'end',
      hidden: 'phone',
      cell: one => sum(one.our_amount),
    },
    {
      id: 'theirs',
      header: t.theirs,
      share: 1.1,
      align: 'end',
      hidden: 'phone',
      cell: one => sum(one.their_amount),
    },
    {
      id: 'found',
      header: t.found,
      isSorted: true,
      share: 1.4,
      align: 'end',
      hidden: 'phone',
      cell: ({ found_at }) => <Moment at={found_at} />,
    },
  ]
}
