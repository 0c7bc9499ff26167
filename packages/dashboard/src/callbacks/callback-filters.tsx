import { useNavigate, useSearch } from '@tanstack/react-router'
import { useWords, words } from '../language/language.tsx'
import { Filters } from '../parts/filters.tsx'
import { SearchInput } from '../parts/search-input.tsx'
import { SelectFilter } from '../parts/select-filter.tsx'
import { useProviders } from '../provider-accounts/providers.ts'
import { callbackStatuses, callbackWords } from './callback-words.ts'

const text = words({
  en: { status: 'Status', provider: 'Provider', payment: 'Payment code or ID' },
  id: { status: 'Status', provider: 'Penyedia', payment: 'Kode atau ID pembayaran' },
})

/**
 * The filters for a list of provider callbacks. The list of rejected callbacks hides the filters for status and
 * payment, because a rejected callback has neither.
 */
export function CallbackFilters({ isRejected = false }: { isRejected?: boolean }) {
  const t = useWords(text)
  const statuses = useWords(callbackWords)
  const { data: providers } = useProviders()
  const search = useSearch({ from: '/inside/callbacks' })
  const navigate = useNavigate({ from: '/callbacks' })
  const set = (changed: Partial<typeof search>) =>
    void navigate({ search: before => ({ ...before, ...changed }), replace: true })
  return (
    <Filters active={[search.status, search.provider, search.payment_id].filter(Boolean).length}>
      {!isRejected && (
        <SelectFilter
          label={t.status}
          value={search.status}
          onValue={status => set({ status })}
          data={callbackStatuses.map(value => ({ value, label: statuses[value] }))}
          w={160}
        />
      )}
      <SelectFilter
        label={t.provider}
        value={search.provider}
        onValue={provider => set({ provider })}
        data={providers?.map(({ code, name }) => ({ value: code, label: name })) ?? []}
        w={180}
      />
      {!isRejected && (
        <SearchInput
          label={t.payment}
          value={search.payment_id}
          onSearch={payment_id => set({ payment_id })}
          flex="0 1 22rem"
        />
      )}
    </Filters>
  )
}
