import { Anchor, Stack } from '@mantine/core'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { type Inputs, trpc } from '../api/trpc.ts'
import { useWords, words } from '../language/language.tsx'
import { Moment } from '../parts/moment.tsx'
import { NoMatches } from '../parts/no-matches.tsx'
import { Panel } from '../parts/panel.tsx'
import { Empty } from '../parts/states.tsx'
import { useProviderName } from '../payments/provider-name.ts'
import { useMode } from '../shell/mode.ts'
import { PaymentLink } from '../support/payment-link.tsx'
import { type Column, DataTable } from '../table/data-table.tsx'
import { nextPage, PAGE_SIZE, useEndless } from '../table/endless.ts'
import { knownFilters } from '../table/known-filters.ts'
import { counted, countOptions, ListCount } from '../table/list-count.tsx'
import { OnPhone } from '../table/on-phone.tsx'
import { onlyOrder, useSorting } from '../table/order.ts'
import { TwoLines } from '../table/two-lines.tsx'
import { TenantName } from '../tenants/tenant-name.tsx'
import { CallbackDrawer } from './callback-drawer.tsx'
import { CallbackFilters } from './callback-filters.tsx'
import { CallbackTag } from './callback-tag.tsx'
import { type Callback, callbackStatuses } from './callback-words.ts'
import { useOutcome } from './use-outcome.ts'

const text = words({
  en: {
    label: 'Accepted callbacks',
    received: 'Received',
    payment: 'Payment, tenant',
    noPayment: 'None',
    provider: 'Provider',
    status: 'Status',
    reason: 'Result',
    none: 'No callbacks yet',
    how: 'Providers send a callback when a payment changes. Register each provider account’s callback address with its provider.',
    noneMatches: 'No callbacks match the filters',
    count: (count: number, written: string) => (count === 1 ? '1 callback' : `${written} callbacks`),
  },
  id: {
    label: 'Callback yang diterima',
    received: 'Diterima',
    payment: 'Pembayaran, tenant',
    noPayment: 'Tidak ada',
    provider: 'Penyedia',
    status: 'Status',
    reason: 'Hasil',
    none: 'Belum ada callback',
    how: 'Penyedia mengirim callback saat pembayaran berubah. Daftarkan alamat callback setiap akun penyedia di penyedianya.',
    noneMatches: 'Tidak ada callback yang cocok dengan filter',
    count: (_: number, written: string) => `${written} callback`,
  },
})

export function CallbackList() {
  const t = useWords(text)
  const { tab: _, ...search } = useSearch({ from: '/inside/callbacks' })
  const navigate = useNavigate({ from: '/callbacks' })
  const [mode] = useMode()
  const [open, setOpen] = useState<Callback>()
  const filters = knownFilters(search, { status: callbackStatuses }) as Inputs['callbacks']['list']
  const sorting = useSorting()
  const { order } = sorting
  const { data: count } = useQuery(
    trpc.callbacks.list.queryOptions({ ...filters, mode, ...counted }, countOptions),
  )
  const list = useEndless(
    useInfiniteQuery(
      trpc.callbacks.list.infiniteQueryOptions({ ...filters, mode, order, limit: PAGE_SIZE }, nextPage),
    ),
  )
  const isFiltered = Object.values(filters).some(value => value !== undefined)
  return (
    <Stack>
      <CallbackFilters />
      {list.rows && <ListCount total={count?.total} inWords={t.count} />}
      <Panel isFlush>
        <DataTable
          label={t.label}
          columns={useColumns(setOpen)}
          {...list}
          sorting={sorting}
          rowKey={({ id }) => id}
          onOpen={setOpen}
          empty={
            isFiltered ? (
              <NoMatches title={t.noneMatches} clear={() => void navigate({ search: onlyOrder })} />
            ) : (
              <Empty title={t.none}>{t.how}</Empty>
            )
          }
        />
      </Panel>
      <CallbackDrawer
        callback={list.rows?.find(({ id }) => id === open?.id) ?? open}
        close={() => setOpen(undefined)}
      />
    </Stack>
  )
}

function useColumns(open: (callback: Callback) => void): Column<Callback>[] {
  const t = useWords(text)
  const outcomeIn = useOutcome()
  const providerName = useProviderName()
  return [
    {
      id: 'received',
      header: t.received,
      isSorted: true,
      share: 1.4,
      cell: callback => (
        <>
          <Anchor component="button" type="button" inherit onClick={() => open(callback)}>
            <Moment at={callback.received_at} />
          </Anchor>
          <OnPhone>
            <span className="mono">{callback.payment_code ?? providerName(callback.provider)}</span>
          </OnPhone>
        </>
      ),
    },
    {
      id: 'payment',
      header: t.payment,
      share: 1.7,
      hidden: 'phone',
      cell: ({ payment_code, tenant_id }) => (
        <TwoLines
          top={payment_code ? <PaymentLink tenantId={tenant_id} paymentCode={payment_code} /> : t.noPayment}
          below={tenant_id && <TenantName id={tenant_id} />}
        />
      ),
    },
    {
      id: 'provider',
      header: t.provider,
      share: 1,
      hidden: 'phone',
      cell: ({ provider }) => providerName(provider),
    },
    { id: 'status', header: t.status, share: 1, cell: ({ status }) => <CallbackTag status={status} /> },
    {
      id: 'reason',
      header: t.reason,
      share: 2.6,
      hidden: 'tablet',
      cell: ({ reason, status }) => <span title={reason ?? undefined}>{outcomeIn(status, reason)}</span>,
    },
  ]
}
