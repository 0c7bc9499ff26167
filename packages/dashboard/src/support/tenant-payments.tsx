import { IconSearch } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { trpc } from '../api/trpc.ts'
import { useWords, words } from '../language/language.tsx'
import { Panel } from '../parts/panel.tsx'
import { SearchInput } from '../parts/search-input.tsx'
import { Empty } from '../parts/states.tsx'
import { usePaymentColumns } from '../payments/payment-columns.tsx'
import { useMode } from '../shell/mode.ts'
import { DataTable } from '../table/data-table.tsx'
import { nextPage, PAGE_SIZE, useEndless } from '../table/endless.ts'
import type { Tenant } from '../tenants/tenant-words.ts'

const text = words({
  en: {
    title: 'Payments',
    search: 'Search',
    hint: 'Code, VA number, name, amount',
    none: { live: 'No live payments found', test: 'No test payments found' },
    how: 'The audit log records each payment that you open.',
  },
  id: {
    title: 'Pembayaran',
    search: 'Cari',
    hint: 'Kode, nomor VA, nama, jumlah',
    none: { live: 'Tidak ada pembayaran live', test: 'Tidak ada pembayaran uji coba' },
    how: 'Log audit mencatat setiap pembayaran yang Anda buka.',
  },
})

/** The payments of a merchant, for the Owner and the merchant's Partner. */
export function TenantPayments({ tenant: { id: tenantId } }: { tenant: Tenant }) {
  const t = useWords(text)
  const [mode] = useMode()
  const { q } = useSearch({ from: '/inside/tenants/$tenantId' })
  const navigate = useNavigate({ from: '/tenants/$tenantId' })
  const list = useEndless(
    useInfiniteQuery(
      trpc.support.payments.infiniteQueryOptions(
        { tenant_id: tenantId, mode, ...(q && { q }), limit: PAGE_SIZE },
        nextPage,
      ),
    ),
  )
  return (
    <>
      <SearchInput
        label={t.search}
        placeholder={t.hint}
        leftSection={<IconSearch size={16} />}
        value={q}
        onSearch={found => void navigate({ search: before => ({ ...before, q: found }), replace: true })}
        mb="md"
      />
      <Panel isFlush>
        <DataTable
          label={t.title}
          columns={usePaymentColumns(tenantId)}
          {...list}
          rowKey={({ id }) => id}
          onOpen={({ payment_code }) =>
            void navigate({
              to: '/tenants/$tenantId/payments/$paymentId',
              params: { tenantId, paymentId: payment_code },
            })
          }
          empty={<Empty title={t.none[mode]}>{t.how}</Empty>}
        />
      </Panel>
    </>
  )
}
