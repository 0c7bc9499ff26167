import { useNavigate, useSearch } from '@tanstack/react-router'
import { useWords, words } from '../language/language.tsx'
import { AddressTabs } from '../parts/address-tabs.tsx'
import { Page } from '../parts/page.tsx'
import { Failure, Pending } from '../parts/states.tsx'
import { AccountList } from './account-list.tsx'
import { useProviders } from './providers.ts'

const text = words({
  en: {
    title: 'Provider accounts',
    about: 'Your accounts at payment providers. Tenants use the accounts that you give them access to.',
    providers: 'Providers',
  },
  id: {
    title: 'Akun penyedia',
    about: 'Akun Anda di penyedia pembayaran. Tenant memakai akun yang Anda beri aksesnya.',
    providers: 'Penyedia',
  },
})

export function ProviderAccountsPage() {
  const t = useWords(text)
  const search = useSearch({ from: '/inside/provider-accounts' })
  const navigate = useNavigate({ from: '/provider-accounts' })
  const { data: providers, error, refetch } = useProviders()
  const open = providers?.find(({ code }) => code === search.provider) ?? providers?.[0]
  return (
    <Page title={t.title} description={t.about}>
      {error && !providers && <Failure error={error} retry={() => void refetch()} />}
      {!providers && !error && <Pending />}
      {providers && open && (
        <AddressTabs
          label={t.providers}
          tabs={providers.map(({ code, name }) => ({ name: code, label: name }))}
          open={open.code}
          onOpen={code => void navigate({ search: { provider: code }, replace: true })}
        >
          <AccountList key={open.code} provider={open} />
        </AddressTabs>
      )}
    </Page>
  )
}
