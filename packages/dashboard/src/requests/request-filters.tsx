import { useNavigate, useSearch } from '@tanstack/react-router'
import { useWords, words } from '../language/language.tsx'
import { DayFilters } from '../parts/day-filters.tsx'
import { Filters } from '../parts/filters.tsx'
import { SearchInput } from '../parts/search-input.tsx'
import { SelectFilter } from '../parts/select-filter.tsx'
import { methods } from './request.ts'

const text = words({
  en: {
    status: 'Status',
    method: 'Method',
    path: 'Path',
    classes: { '2xx': '2xx: succeeded', '4xx': '4xx: rejected', '5xx': '5xx: failed' },
  },
  id: {
    status: 'Status',
    method: 'Metode',
    path: 'Path',
    classes: { '2xx': '2xx: berhasil', '4xx': '4xx: ditolak', '5xx': '5xx: gagal' },
  },
})

/** The request log's filters. They are in the URL so that users can bookmark and share a filtered list. */
export function RequestFilters() {
  const t = useWords(text)
  const search = useSearch({ from: '/inside/requests' })
  const navigate = useNavigate({ from: '/requests' })
  const set = (changed: Partial<typeof search>) =>
    void navigate({ search: before => ({ ...before, ...changed }), replace: true })
  return (
    <Filters
      active={[search.status, search.method, search.path, search.from, search.to].filter(Boolean).length}
    >
      <SelectFilter
        label={t.status}
        value={search.status}
        onValue={status => set({ status })}
        data={Object.entries(t.classes).map(([value, label]) => ({ value, label }))}
        flex="0 1 10rem"
      />
      <SelectFilter
        label={t.method}
        value={search.method}
        onValue={method => set({ method })}
        data={methods}
        flex="0 1 8rem"
      />
      <SearchInput
        label={t.path}
        placeholder="/v1/payments"
        maxLength={255}
        value={search.path}
        onSearch={path => set({ path })}
        flex="1 1 12rem"
      />
      <DayFilters from={search.from} to={search.to} set={set} />
    </Filters>
  )
}
