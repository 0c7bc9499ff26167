import { useNavigate, useSearch } from '@tanstack/react-router'
import { useWords, words } from '../language/language.tsx'
import { AddressTabs } from '../parts/address-tabs.tsx'
import { Page } from '../parts/page.tsx'
import { CallbackList } from './callback-list.tsx'
import { RejectedList } from './rejected-list.tsx'

const text = words({
  en: {
    title: 'Callbacks',
    about: 'Callbacks from payment providers, and their results.',
    parts: 'Accepted or rejected',
    taken: 'Accepted',
    rejected: 'Rejected',
  },
  id: {
    title: 'Callback',
    about: 'Callback dari penyedia pembayaran, beserta hasilnya.',
    parts: 'Diterima atau ditolak',
    taken: 'Diterima',
    rejected: 'Ditolak',
  },
})

export function CallbacksPage() {
  const t = useWords(text)
  const { tab } = useSearch({ from: '/inside/callbacks' })
  const navigate = useNavigate({ from: '/callbacks' })
  const open = tab === 'rejected' ? 'rejected' : 'taken'
  return (
    <Page title={t.title} description={t.about}>
      <AddressTabs
        label={t.parts}
        tabs={(['taken', 'rejected'] as const).map(name => ({ name, label: t[name] }))}
        open={open}
        onOpen={name =>
          void navigate({
            search: ({ provider }) => ({ provider, ...(name === 'rejected' && { tab: name }) }),
            replace: true,
          })
        }
      >
        {open === 'taken' ? <CallbackList /> : <RejectedList />}
      </AddressTabs>
    </Page>
  )
}
