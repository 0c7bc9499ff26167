import { Group } from '@mantine/core'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { type Inputs, trpc } from '../api/trpc.ts'
import { useWords, words } from '../language/language.tsx'
import { NoMatches } from '../parts/no-matches.tsx'
import { Panel } from '../parts/panel.tsx'
import { Empty } from '../parts/states.tsx'
import { useIsPermitted } from '../session/account.ts'
import { useMode } from '../shell/mode.ts'
import { DataTable } from '../table/data-table.tsx'
import { nextPage, PAGE_SIZE, useEndless } from '../table/endless.ts'
import { knownFilters } from '../table/known-filters.ts'
import { counted, countOptions, ListCount } from '../table/list-count.tsx'
import { useSorting } from '../table/order.ts'
import { DeliveryFilters, type DeliverySearch } from './delivery-filters.tsx'
import { deliveryStatuses, eventTypes } from './delivery-words.ts'
import { callbackUrlQuery } from './endpoint.ts'
import { RedeliverFailed } from './redeliver-failed.tsx'
import { useDeliveryColumns } from './use-delivery-columns.tsx'

const text = words({
  en: {
    title: 'Deliveries',
    none: 'No deliveries yet',
    how: 'When a payment is paid, fails or expires, its webhook and every delivery attempt appear here.',
    noneMatches: 'No deliveries match these filters',
    count: (count: number, written: string) => (count === 1 ? '1 delivery' : `${written} deliveries`),
  },
  id: {
    title: 'Pengiriman',
    none: 'Belum ada pengiriman',
    how: 'Saat pembayaran lunas, gagal, atau kedaluwarsa, webhook dan setiap percobaan pengirimannya muncul di sini.',
    noneMatches: 'Tidak ada pengiriman yang cocok',
    count: (_: number, written: string) => `${written} pengiriman`,
  },
})

/** Lists the webhook deliveries to the callback URL. */
export function Deliveries() {
  const t = useWords(text)
  // Only users with the `developer` permission may read the callback URL. For all other users, the page assumes that a
  // callback URL is set.
  const isDeveloper = useIsPermitted('developer')
  const { data: url } = useQuery({ ...callbackUrlQuery, enabled: isDeveloper })
  const search = knownFilters(useSearch({ from: '/inside/webhooks' }), {
    status: deliveryStatuses,
    type: eventTypes,
  })
  const navigate = useNavigate({ from: '/webhooks' })
  const [mode] = useMode()
  const filters = { ...search, mode } as Inputs['webhooks']['deliveries']
  const sorting = useSorting()
  const { order } = sorting
  const { data: count } = useQuery(
    trpc.webhooks.deliveries.queryOptions({ ...filters, ...counted }, countOptions),
  )
  const list = useEndless(
    useInfiniteQuery(
      trpc.webhooks.deliveries.infiniteQueryOptions({ ...filters, order, limit: PAGE_SIZE }, nextPage),
    ),
  )
  const show = (next: DeliverySearch) =>
    void navigate({
      search: ({ order }) => ({ ...next, order }),
      replace: true,
      resetScroll: false,
    })
  return (
    <Panel
      title={t.title}
      isFlush
      actions={
        <Group gap="sm">
          <DeliveryFilters statuses={deliveryStatuses} search={search} show={show} />
          <RedeliverFailed hasUrl={!isDeveloper || typeof url === 'string'} />
        </Group>
      }
    >
      {list.rows && <ListCount total={count?.total} inWords={t.count} isInPanel />}
      <DataTable
        label={t.title}
        columns={useDeliveryColumns()}
        {...list}
        sorting={sorting}
        rowKey={delivery => delivery.id}
        onOpen={({ id }) => void navigate({ to: '/webhooks/$eventId', params: { eventId: id } })}
        empty={
          Object.values(search).every(value => value === undefined) ? (
            <Empty title={t.none}>{t.how}</Empty>
          ) : (
            <NoMatches title={t.noneMatches} clear={() => show({})} />
          )
        }
      />
    </Panel>
  )
}
