import { Group, Select } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { type Inputs, trpc } from '../api/trpc.ts'
import { useWords, words } from '../language/language.tsx'
import { NoMatches } from '../parts/no-matches.tsx'
import { Panel } from '../parts/panel.tsx'
import { Empty } from '../parts/states.tsx'
import { useMode } from '../shell/mode.ts'
import { DataTable } from '../table/data-table.tsx'
import { nextPage, PAGE_SIZE, useEndless } from '../table/endless.ts'
import { knownFilters } from '../table/known-filters.ts'
import { deliveryStatuses, deliveryWords } from './delivery-words.ts'
import { RedeliverFailed } from './redeliver-failed.tsx'
import { useDeliveryColumns } from './use-delivery-columns.tsx'

const text = words({
  en: {
    title: 'Deliveries',
    status: 'Status',
    any: 'Any status',
    none: 'No deliveries yet',
    how: 'When a payment is paid, fails or expires, its webhook and every delivery attempt appear here.',
    noneMatches: 'No deliveries have this status',
  },
  id: {
    title: 'Pengiriman',
    status: 'Status',
    any: 'Semua status',
    none: 'Belum ada pengiriman',
    how: 'Saat pembayaran lunas, gagal, atau kedaluwarsa, webhook dan setiap percobaan pengirimannya muncul di sini.',
    noneMatches: 'Tidak ada pengiriman dengan status ini',
  },
})

export function Deliveries({ hasUrl }: { hasUrl: boolean }) {
  const t = useWords(text)
  const names = useWords(deliveryWords)
  const search = knownFilters(useSearch({ from: '/inside/webhooks' }), { status: deliveryStatuses })
  const navigate = useNavigate({ from: '/webhooks' })
  const [mode] = useMode()
  const filters = { ...search, mode } as Inputs['webhooks']['deliveries']
  const list = useEndless(
    useInfiniteQuery(
      trpc.webhooks.deliveries.infiniteQueryOptions({ ...filters, limit: PAGE_SIZE }, nextPage),
    ),
  )
  const show = (status: string | null) =>
    void navigate({ search: { status: status ?? undefined }, replace: true, resetScroll: false })
  return (
    <Panel
      title={t.title}
      isFlush
      actions={
        <Group gap="sm">
          <Select
            aria-label={t.status}
            placeholder={t.any}
            clearable
            size="xs"
            w={150}
            value={search.status ?? null}
            onChange={show}
            data={deliveryStatuses.map(value => ({ value, label: names[value] }))}
          />
          <RedeliverFailed hasUrl={hasUrl} />
        </Group>
      }
    >
      <DataTable
        label={t.title}
        columns={useDeliveryColumns()}
        {...list}
        rowKey={delivery => delivery.id}
        onOpen={({ id }) => void navigate({ to: '/webhooks/$eventId', params: { eventId: id } })}
        empty={
          search.status === undefined ? (
            <Empty title={t.none}>{t.how}</Empty>
          ) : (
            <NoMatches title={t.noneMatches} clear={() => show(null)} />
          )
        }
      />
    </Panel>
  )
}
