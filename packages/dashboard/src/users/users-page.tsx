import { useWords, words } from '../language/language.tsx'
import { Page } from '../parts/page.tsx'
import { ChangePassword } from './change-password.tsx'
import { NewUserButton } from './new-user-button.tsx'
import { OwnTenant } from './own-tenant.tsx'
import { UserList } from './user-list.tsx'

const text = words({
  en: { title: 'Users', about: 'People who can log in to this dashboard for your tenant.' },
  id: { title: 'Pengguna', about: 'Orang yang dapat masuk ke dasbor ini untuk tenant Anda.' },
})

export function UsersPage() {
  const t = useWords(text)
  return (
    <Page title={t.title} description={t.about} actions={<NewUserButton />}>
      <UserList />
      <OwnTenant />
      <ChangePassword />
    </Page>
  )
}
