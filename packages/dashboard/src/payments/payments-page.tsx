import { IconPlus } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect } from 'react'
import { trpc } from '../api/trpc.ts'
import { useWords, words } from '../language/language.tsx'
import { ButtonLink } from '../parts/links.tsx'
import { NoMatches } from '../parts/no-matches.tsx'
import { Page } from '../parts/page.tsx'
import { Panel } from '../parts/panel.tsx'
import { Empty } from '../parts/states.tsx'
import { useIsPermitted } from '../session/account.ts'
import { useMode } from '../shell/mode.ts'
import { DataTable } from '../table/data-table.tsx'
import { nextPage, PAGE_SIZE, useEndless } from '../table/endless.ts'
import { onlyOrder, useSorting } from '../table/order.ts'
import { ExportButton } from './export-button.tsx'
import { keepSearch } from './last-search.ts'
import { usePaymentColumns } from './payment-columns.tsx'
import { PaymentCount } from './payment-count.tsx'
import { filtersIn, knownSearch, PaymentFilters } from './payment-filters.tsx'

const text = words({
  en: {
    title: 'Payments',
    create: 'Test payment',
    none: { live: 'No live payments yet', test: 'No test payments yet' },
    how: 'Create a payment from your server with an API key of this mode. The payment then appears here.',
    noneMatches: 'No payments match the filters',
  },
  id: {
    title: 'Pembayaran',
    create: 'Pembayaran uji coba',
    none: { live: 'Belum ada pembayaran live', test: 'Belum ada pembayaran uji coba' },
    how: 'Buat pembayaran dari server Anda dengan kunci API untuk mode ini. Pembayaran akan muncul di sini.',
    noneMatches: 'Tidak ada pembayaran yang cocok dengan filter',
  },
})

export function PaymentsPage() {
  const t = useWords(text)
  const search = knownSearch(useSearch({ from: '/inside/payments' }))
  const navigate = useNavigate({ from: '/payments' })
  const [mode] = useMode()
  const mayExport = useIsPermitted('finance')
  // To create a test payment, the dashboard first creates an API key for test mode. Only users with the `developer`
  // permission may create keys, so only they may create test payments here.
  const mayCreate = useIsPermitted('developer')
  const filters = { ...filtersIn(search), mode }
  const sorting = useSorting()
  const { order } = sorting
  const list = useEndless(
    useInfiniteQuery(
      trpc.payments.list.infiniteQueryOptions({ ...filters, order, limit: PAGE_SIZE }, nextPage),
    ),
  )
  useEffect(() => keepSearch({ ...search, order }), [search, order])
  const isFiltered = Object.keys(search).length > 0

  return (
    <Page
      title={t.title}
      actions={
        <>
          {mayExport && <ExportButton filters={{ ...filters, order }} />}
          {mayCreate && (
            <ButtonLink to="/payments/new" leftSection={<IconPlus size={16} />}>
              {t.create}
            </ButtonLink>
          )}
        </>
      }
    >
      <PaymentFilters
        search={search}
        set={changed => void navigate({ search: before => ({ ...before, ...changed }), replace: true })}
      />
      {list.rows && <PaymentCount filters={filters} />}
      <Panel isFlush>
        <DataTable
          label={t.title}
          columns={usePaymentColumns()}
          {...list}
          sorting={sorting}
          rowKey={payment => payment.id}
          onOpen={({ id }) => void navigate({ to: '/payments/$paymentId', params: { paymentId: id } })}
          empty={
            isFiltered ? (
              <NoMatches title={t.noneMatches} clear={() => void navigate({ search: onlyOrder })} />
            ) : (
              <Empty title={t.none[mode]}>{t.how}</Empty>
            )
          }
        />
      </Panel>
    </Page>
  )
}
