import { Select } from '@mantine/core'
import { IconPlus, IconSearch } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect } from 'react'
import { type Inputs, trpc } from '../api/trpc.ts'
import { isDay } from '../format/day.ts'
import { useWords, words } from '../language/language.tsx'
import { DayFilters } from '../parts/day-filters.tsx'
import { Filters } from '../parts/filters.tsx'
import { ButtonLink } from '../parts/links.tsx'
import { NoMatches } from '../parts/no-matches.tsx'
import { Page } from '../parts/page.tsx'
import { Panel } from '../parts/panel.tsx'
import { SearchInput } from '../parts/search-input.tsx'
import { Empty } from '../parts/states.tsx'
import { useIsPermitted } from '../session/account.ts'
import { useMode } from '../shell/mode.ts'
import { DataTable } from '../table/data-table.tsx'
import { nextPage, PAGE_SIZE, useEndless } from '../table/endless.ts'
import { knownFilters } from '../table/known-filters.ts'
import { AmountFilter } from './amount-filter.tsx'
import { ExportButton } from './export-button.tsx'
import { keepSearch } from './last-search.ts'
import { usePaymentColumns } from './payment-columns.tsx'
import { PaymentCount } from './payment-count.tsx'
import { methodTypes, methodWords, statuses, statusWords } from './payment-words.ts'
import classes from './payments-page.module.css'
import { useKnownProviders } from './provider-name.ts'

const isAmount = (text: string) => /^[1-9]\d{0,14}$/.test(text)
const known = { status: statuses, method_type: methodTypes, amount: isAmount, from: isDay, to: isDay }
const useFilters = () => knownFilters(useSearch({ from: '/inside/payments' }), known)

const text = words({
  en: {
    title: 'Payments',
    create: 'Test payment',
    search: 'Search',
    searchHint: 'Code, VA number, name, amount',
    status: 'Status',
    method: 'Method',
    channel: 'Channel',
    provider: 'Provider',
    any: 'Any',
    none: { live: 'No live payments yet', test: 'No test payments yet' },
    how: 'Create a payment from your server with a key of this mode. The payment then appears here.',
    noneMatches: 'No payments match the filters',
  },
  id: {
    title: 'Pembayaran',
    create: 'Pembayaran uji coba',
    search: 'Cari',
    searchHint: 'Kode, nomor VA, nama, jumlah',
    status: 'Status',
    method: 'Metode',
    channel: 'Kanal',
    provider: 'Penyedia',
    any: 'Semua',
    none: { live: 'Belum ada pembayaran live', test: 'Belum ada pembayaran uji coba' },
    how: 'Buat pembayaran dari server Anda dengan kunci mode ini. Pembayaran lalu muncul di sini.',
    noneMatches: 'Tidak ada pembayaran yang cocok dengan filter',
  },
})

export function PaymentsPage() {
  const t = useWords(text)
  const search = useFilters()
  const navigate = useNavigate({ from: '/payments' })
  const [mode] = useMode()
  const mayExport = useIsPermitted('finance')
  // The page for test payments creates a test key, which only developers may do.
  const mayCreate = useIsPermitted('developer')
  const { amount, ...texts } = search
  const filters = { ...texts, ...(amount && { amount: Number(amount) }), mode } as Inputs['payments']['list']
  const list = useEndless(
    useInfiniteQuery(trpc.payments.list.infiniteQueryOptions({ ...filters, limit: PAGE_SIZE }, nextPage)),
  )
  useEffect(() => keepSearch(search), [search])
  const isFiltered = Object.keys(search).length > 0

  return (
    <Page
      title={t.title}
      actions={
        <>
          {mayExport && <ExportButton filters={filters} />}
          {mayCreate && (
            <ButtonLink to="/payments/new" leftSection={<IconPlus size={16} />}>
              {t.create}
            </ButtonLink>
          )}
        </>
      }
    >
      <PaymentFilters />
      {list.rows && <PaymentCount filters={filters} />}
      <Panel isFlush>
        <DataTable
          label={t.title}
          columns={usePaymentColumns()}
          {...list}
          rowKey={payment => payment.id}
          onOpen={({ id }) => void navigate({ to: '/payments/$paymentId', params: { paymentId: id } })}
          empty={
            isFiltered ? (
              <NoMatches title={t.noneMatches} clear={() => void navigate({ search: {} })} />
            ) : (
              <Empty title={t.none[mode]}>{t.how}</Empty>
            )
          }
        />
      </Panel>
    </Page>
  )
}

/** The filters of the list. They are stored in the URL, so that a filtered list can be bookmarked and shared. */
function PaymentFilters() {
  const t = useWords(text)
  const search = useFilters()
  const navigate = useNavigate({ from: '/payments' })
  const set = (changed: Partial<typeof search>) =>
    void navigate({ search: before => ({ ...before, ...changed }), replace: true })
  const statusNames = useWords(statusWords)
  const methodNames = useWords(methodWords)
  const providers = useKnownProviders()
  return (
    <Filters
      active={Object.keys(search).filter(name => name !== 'q').length}
      search={
        <SearchInput
          label={t.search}
          placeholder={t.searchHint}
          leftSection={<IconSearch size={16} />}
          value={search.q}
          onSearch={q => set({ q })}
          className={classes.search}
        />
      }
    >
      <Select
        label={t.status}
        placeholder={t.any}
        clearable
        value={search.status ?? null}
        onChange={status => set({ status: status ?? undefined })}
        data={statuses.map(value => ({ value, label: statusNames[value] }))}
        w={150}
      />
      <Select
        label={t.method}
        placeholder={t.any}
        clearable
        value={search.method_type ?? null}
        onChange={method => set({ method_type: method ?? undefined })}
        data={methodTypes.map(value => ({ value, label: methodNames[value] }))}
        w={180}
      />
      <Select
        label={t.channel}
        placeholder={t.any}
        clearable
        searchable
        value={search.channel ?? null}
        onChange={channel => set({ channel: channel ?? undefined })}
        data={channelsOf(providers)}
        w={150}
      />
      <Select
        label={t.provider}
        placeholder={t.any}
        clearable
        value={search.provider ?? null}
        onChange={provider => set({ provider: provider ?? undefined })}
        data={(providers ?? []).map(({ code, name }) => ({ value: code, label: name }))}
        w={150}
      />
      <AmountFilter amount={search.amount} onAmount={amount => set({ amount })} />
      <DayFilters from={search.from} to={search.to} set={set} />
    </Filters>
  )
}

type Providers = NonNullable<ReturnType<typeof useKnownProviders>>

const channelsOf = (providers: Providers | undefined) => {
  const channels = (providers ?? []).flatMap(({ methods }) => methods.flatMap(method => method.channels))
  const names = new Map(channels.map(({ code, name }) => [code.toLowerCase(), name]))
  return [...names].map(([value, label]) => ({ value, label }))
}
