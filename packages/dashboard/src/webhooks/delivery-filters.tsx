import { Select } from '@mantine/core'
import { useWords, words } from '../language/language.tsx'
import { Filters } from '../parts/filters.tsx'
import { SearchInput } from '../parts/search-input.tsx'
import { type Delivery, deliveryWords, eventTypes } from './delivery-words.ts'

const text = words({
  en: {
    status: 'Status',
    anyStatus: 'Any status',
    type: 'Event type',
    anyType: 'Any event',
    payment: 'Payment code or ID',
  },
  id: {
    status: 'Status',
    anyStatus: 'Semua status',
    type: 'Jenis event',
    anyType: 'Semua event',
    payment: 'Kode atau ID pembayaran',
  },
})

export type DeliverySearch = { status?: string; type?: string; payment_id?: string }

type Given = {
  statuses: readonly Delivery['status'][]
  search: DeliverySearch
  show: (search: DeliverySearch) => void
}

/** The filters for a list of deliveries: status, event type and payment. */
export function DeliveryFilters({ statuses, search, show }: Given) {
  const t = useWords(text)
  const names = useWords(deliveryWords)
  return (
    <Filters active={[search.payment_id, search.type, search.status].filter(Boolean).length}>
      <SearchInput
        aria-label={t.payment}
        placeholder={t.payment}
        size="xs"
        w={210}
        value={search.payment_id}
        onSearch={payment => show({ ...search, payment_id: payment })}
      />
      <Select
        aria-label={t.type}
        placeholder={t.anyType}
        clearable
        size="xs"
        w={170}
        value={search.type ?? null}
        onChange={type => show({ ...search, type: type ?? undefined })}
        data={eventTypes}
      />
      <Select
        aria-label={t.status}
        placeholder={t.anyStatus}
        clearable
        size="xs"
        w={150}
        value={search.status ?? null}
        onChange={status => show({ ...search, status: status ?? undefined })}
        data={statuses.map(value => ({ value, label: names[value] }))}
      />
    </Filters>
  )
}
