import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { type Inputs, trpc } from '../../api/trpc.ts'
import { useWords, words } from '../../language/language.tsx'
import { NoMatches } from '../../parts/no-matches.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Empty } from '../../parts/states.tsx'
import { DataTable } from '../../table/data-table.tsx'
import { nextPage, PAGE_SIZE, useEndless } from '../../table/endless.ts'
import { knownFilters } from '../../table/known-filters.ts'
import { counted, countOptions, ListCount } from '../../table/list-count.tsx'
import { useSorting } from '../../table/order.ts'
import { DeliveryFilters, type DeliverySearch } from '../delivery-filters.tsx'
import { deliveryStatuses, eventTypes } from '../delivery-words.ts'
import { useDeliveryColumns } from '../use-delivery-columns.tsx'

const text = words({
  en: {
    title: 'Deliveries',
    none: 'No deliveries yet',
    how: 'The next event sent to this endpoint appears here.',
    noneMatches: 'No deliveries match these filters',
    count: (count: number, written: string) => (count === 1 ? '1 delivery' : `${written} deliveries`),
  },
  id: {
    title: 'Pengiriman',
    none: 'Belum ada pengiriman',
    how: 'Event berikutnya yang diterima endpoint ini muncul di sini.',
    noneMatches: 'Tidak ada pengiriman yang cocok',
    count: (_: number, written: string) => `${written} pengiriman`,
  },
})

const statuses = deliveryStatuses.filter(status => status !== 'not_configured')
/**
 * The polling interval in milliseconds. The page polls the deliveries to an additional webhook endpoint, because live
 * updates cover only deliveries to the callback URL.
 */
const EVERY_MS = 5_000

export function EndpointDeliveries({ endpointId }: { endpointId: string }) {
  const t = useWords(text)
  const search = knownFilters(useSearch({ from: '/inside/webhooks/endpoints/$endpointId' }), {
    status: statuses,
    type: eventTypes,
  })
  const navigate = useNavigate({ from: '/webhooks/endpoints/$endpointId' })
  const filters = { ...search, endpoint_id: endpointId } as Inputs['webhookEndpoints']['deliveries']
  const sorting = useSorting()
  const { order } = sorting
  const { data: count } = useQuery(
    trpc.webhookEndpoints.deliveries.queryOptions({ ...filters, ...counted }, countOptions),
  )
  const list = useEndless(
    useInfiniteQuery(
      trpc.webhookEndpoints.deliveries.infiniteQueryOptions(
        { ...filters, order, limit: PAGE_SIZE },
        { ...nextPage, refetchInterval: EVERY_MS },
      ),
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
      actions={<DeliveryFilters statuses={statuses} search={search} show={show} />}
    >
      {list.rows && <ListCount total={count?.total} inWords={t.count} isInPanel />}
      <DataTable
        label={t.title}
        columns={useDeliveryColumns(endpointId)}
        {...list}
        sorting={sorting}
        rowKey={delivery => delivery.id}
        onOpen={({ id }) =>
          void navigate({
            to: '/webhooks/endpoints/$endpointId/deliveries/$eventId',
            params: { endpointId, eventId: id },
          })
        }
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
