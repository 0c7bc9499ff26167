import { useWords, words } from '../language/language.tsx'
import { Page } from '../parts/page.tsx'
import { useAccount } from '../session/account.ts'
import { InviteButton } from './invite-button.tsx'
import { UserList } from './user-list.tsx'

const text = words({
  en: { title: 'Users', about: 'People who can log in to this dashboard for your tenant.' },
  id: { title: 'Pengguna', about: 'Orang yang dapat masuk ke dasbor ini untuk tenant Anda.' },
})

export function UsersPage() {
  const t = useWords(text)
  const { id } = useAccount()
  return (
    <Page title={t.title} description={t.about} actions={<InviteButton tenantId={id} />}>
      <UserList />
    </Page>
  )
}
