import { Stack } from '@mantine/core'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { trpc } from '../api/trpc.ts'
import { useWords, words } from '../language/language.tsx'
import { Panel } from '../parts/panel.tsx'
import { Empty } from '../parts/states.tsx'
import { RefundDrawer } from '../refunds/refund-drawer.tsx'
import { useRefundColumns } from '../refunds/use-refund-columns.tsx'
import { useMode } from '../shell/mode.ts'
import { DataTable } from '../table/data-table.tsx'
import { nextPage, PAGE_SIZE, useEndless } from '../table/endless.ts'
import { counted, countOptions, ListCount } from '../table/list-count.tsx'
import { useSorting } from '../table/order.ts'

const text = words({
  en: {
    label: 'Refunds that need your decision',
    none: 'No refunds are waiting for you',
    count: (count: number, written: string) => (count === 1 ? '1 refund' : `${written} refunds`),
    how: 'A refund appears here if you must transfer the money yourself, or if the provider has not confirmed it for 72 hours.',
  },
  id: {
    label: 'Pengembalian dana yang perlu keputusan Anda',
    none: 'Tidak ada pengembalian dana yang menunggu Anda',
    count: (_: number, written: string) => `${written} pengembalian dana`,
    how: 'Pengembalian dana muncul di sini jika Anda harus mentransfer dananya sendiri, atau jika penyedia tidak mengonfirmasinya selama 72 jam.',
  },
})

/**
 * Lists the pending refunds for which the Owner (the service's operator) must record the outcome, for example
 * after a manual bank transfer.
 */
export function WaitingRefunds() {
  const t = useWords(text)
  const [openId, setOpenId] = useState<string>()
  const [mode] = useMode()
  const columns = useRefundColumns(setOpenId)
  const filters = { mode, waiting: 'true' } as const
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
    <Stack>
      {list.rows && <ListCount total={count?.total} inWords={t.count} />}
      <Panel isFlush>
        <DataTable
          label={t.label}
          columns={columns.filter(({ id }) => id !== 'status')}
          {...list}
          sorting={sorting}
          rowKey={({ id }) => id}
          onOpen={({ id }) => setOpenId(id)}
          empty={<Empty title={t.none}>{t.how}</Empty>}
        />
      </Panel>
      <RefundDrawer refund={list.rows?.find(({ id }) => id === openId)} close={() => setOpenId(undefined)} />
    </Stack>
  )
}
