import { Stack } from '@mantine/core'
import { useInterval } from '@mantine/hooks'
import { focusManager, useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { OTHERS_EVERY_MS } from '../api/query-client.ts'
import { trpc } from '../api/trpc.ts'
import { useWords, words } from '../language/language.tsx'
import { refreshTops } from '../live/refetch-in-turn.ts'
import { NoMatches } from '../parts/no-matches.tsx'
import { Panel } from '../parts/panel.tsx'
import { Empty } from '../parts/states.tsx'
import { usePaymentColumns } from '../payments/payment-columns.tsx'
import { PaymentCount } from '../payments/payment-count.tsx'
import { filtersIn, knownSearch, PaymentFilters } from '../payments/payment-filters.tsx'
import { useMode } from '../shell/mode.ts'
import { DataTable } from '../table/data-table.tsx'
import { nextPage, PAGE_SIZE, useEndless } from '../table/endless.ts'
import { useSorting } from '../table/order.ts'
import type { Tenant } from '../tenants/tenant-words.ts'

const text = words({
  en: {
    title: 'Payments',
    none: { live: 'No live payments yet', test: 'No test payments yet' },
    noneMatches: 'No payments match the filters',
    how: 'This merchant’s payments appear here. The audit log records that you view this list, and each payment that you open.',
  },
  id: {
    title: 'Pembayaran',
    none: { live: 'Belum ada pembayaran live', test: 'Belum ada pembayaran uji coba' },
    noneMatches: 'Tidak ada pembayaran yang cocok dengan filter',
    how: 'Pembayaran merchant ini muncul di sini. Log audit mencatat bahwa Anda melihat daftar ini, dan setiap pembayaran yang Anda buka.',
  },
})

/**
 * Lists a merchant's payments. Only the Owner (the service's operator) and the merchant's Partner (its reseller) see
 * this list.
 */
export function TenantPayments({ tenant: { id: tenantId } }: { tenant: Tenant }) {
  const t = useWords(text)
  const [mode] = useMode()
  const { tab: _, ...found } = useSearch({ from: '/inside/tenants/$tenantId' })
  const search = knownSearch(found)
  const filters = { ...filtersIn(search), mode }
  const sorting = useSorting()
  const navigate = useNavigate({ from: '/tenants/$tenantId' })
  const list = useEndless(
    useInfiniteQuery(
      trpc.support.payments.infiniteQueryOptions(
        { ...filters, order: sorting.order, tenant_id: tenantId, limit: PAGE_SIZE },
        nextPage,
      ),
    ),
  )
  const queries = useQueryClient()
  // Unlike `refetchInterval`, this refetches only the newest page of the list, however many pages are loaded.
  useInterval(
    () => {
      if (focusManager.isFocused()) void refreshTops(queries, trpc.support.payments.pathKey())
    },
    OTHERS_EVERY_MS,
    { autoInvoke: true },
  )
  return (
    <Stack>
      <PaymentFilters
        search={search}
        set={changed => void navigate({ search: before => ({ ...before, ...changed }), replace: true })}
      />
      {list.rows && <PaymentCount filters={filters} tenantId={tenantId} />}
      <Panel isFlush>
        <DataTable
          label={t.title}
          columns={usePaymentColumns(tenantId)}
          {...list}
          sorting={sorting}
          rowKey={({ id }) => id}
          onOpen={({ payment_code }) =>
            void navigate({
              to: '/tenants/$tenantId/payments/$paymentId',
              params: { tenantId, paymentId: payment_code },
            })
          }
          empty={
            Object.keys(search).length > 0 ? (
              <NoMatches
                title={t.noneMatches}
                clear={() => void navigate({ search: ({ tab, order }) => ({ tab, order }) })}
              />
            ) : (
              <Empty title={t.none[mode]}>{t.how}</Empty>
            )
          }
        />
      </Panel>
    </Stack>
  )
}
