import { IconSearch } from '@tabler/icons-react'
import type { Inputs } from '../api/trpc.ts'
import { isDay } from '../format/day.ts'
import { useWords, words } from '../language/language.tsx'
import { DayFilters } from '../parts/day-filters.tsx'
import { Filters } from '../parts/filters.tsx'
import { SearchInput } from '../parts/search-input.tsx'
import { SelectFilter } from '../parts/select-filter.tsx'
import { knownFilters } from '../table/known-filters.ts'
import { AmountFilter } from './amount-filter.tsx'
import type { PaymentSearch } from './last-search.ts'
import classes from './payment-filters.module.css'
import { methodTypes, methodWords, statuses, statusWords } from './payment-words.ts'
import { useKnownProviders } from './provider-name.ts'

const isAmount = (text: string) => /^[1-9]\d{0,14}$/.test(text)
const known = { status: statuses, method_type: methodTypes, amount: isAmount, from: isDay, to: isDay }

/**
 * Returns the filters in the URL that a list of payments supports. Filters with an invalid value are left
 * out.
 */
export const knownSearch = (search: PaymentSearch) => knownFilters(search, known)

/** Returns the filters in the form expected by the API. */
export const filtersIn = ({ amount, ...texts }: Omit<PaymentSearch, 'order'>) =>
  ({ ...texts, ...(amount && { amount: Number(amount) }) }) as Omit<
    Inputs['payments']['list'],
    'mode' | 'order'
  >

const text = words({
  en: {
    search: 'Search',
    searchHint: 'Code, VA number, name or amount',
    status: 'Status',
    method: 'Method',
    channel: 'Channel',
    provider: 'Provider',
  },
  id: {
    search: 'Cari',
    searchHint: 'Kode, nomor VA, nama, jumlah',
    status: 'Status',
    method: 'Metode',
    channel: 'Kanal',
    provider: 'Penyedia',
  },
})

type Given = { search: PaymentSearch; set: (changed: PaymentSearch) => void }

/** The filters for a list of payments. They are in the URL, so users can bookmark and share a filtered list. */
export function PaymentFilters({ search, set }: Given) {
  const t = useWords(text)
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
      <SelectFilter
        label={t.status}
        value={search.status}
        onValue={status => set({ status })}
        data={statuses.map(value => ({ value, label: statusNames[value] }))}
        w={150}
      />
      <SelectFilter
        label={t.method}
        value={search.method_type}
        onValue={method_type => set({ method_type })}
        data={methodTypes.map(value => ({ value, label: methodNames[value] }))}
        w={180}
      />
      <SelectFilter
        label={t.channel}
        searchable
        value={search.channel}
        onValue={channel => set({ channel })}
        data={channelsOf(providers)}
        w={150}
      />
      <SelectFilter
        label={t.provider}
        value={search.provider}
        onValue={provider => set({ provider })}
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
