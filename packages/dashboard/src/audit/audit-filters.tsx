import { useNavigate, useSearch } from '@tanstack/react-router'
import { useWords, words } from '../language/language.tsx'
import { DayFilters } from '../parts/day-filters.tsx'
import { Filters } from '../parts/filters.tsx'
import { SelectFilter } from '../parts/select-filter.tsx'
import { useAccount } from '../session/account.ts'
import { TenantSelect } from '../tenants/tenant-select.tsx'
import { actWords } from './act-words.ts'

const text = words({
  en: { what: 'Action', tenant: 'Tenant', any: 'Any' },
  id: { what: 'Tindakan', tenant: 'Tenant', any: 'Semua' },
})

/**
 * The audit log's filters. They are stored in the URL, so that users can bookmark and share a filtered list.
 */
export function AuditFilters() {
  const t = useWords(text)
  const acts = useWords(actWords)
  const { role } = useAccount()
  const search = useSearch({ from: '/inside/audit-log' })
  const navigate = useNavigate({ from: '/audit-log' })
  const set = (changed: Partial<typeof search>) =>
    void navigate({ search: before => ({ ...before, ...changed }), replace: true })
  return (
    <Filters active={[search.action, search.tenant_id, search.from, search.to].filter(Boolean).length}>
      <SelectFilter
        label={t.what}
        searchable
        value={search.action}
        onValue={action => set({ action })}
        data={Object.entries(acts).map(([value, label]) => ({ value, label }))}
        flex="0 1 20rem"
      />
      {role !== 'client' && (
        <TenantSelect
          label={t.tenant}
          placeholder={t.any}
          value={search.tenant_id ?? null}
          onChange={tenant => set({ tenant_id: tenant ?? undefined })}
          flex="0 1 15rem"
        />
      )}
      <DayFilters from={search.from} to={search.to} set={set} />
    </Filters>
  )
}
