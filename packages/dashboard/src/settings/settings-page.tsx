import { useWords, words } from '../language/language.tsx'
import { Page } from '../parts/page.tsx'
import { NotificationList } from './notification-list.tsx'
import { OtherSettings } from './other-settings.tsx'
import { TenantFacts } from './tenant-facts.tsx'

const text = words({
  en: { title: 'Settings', about: 'Your account, and the emails that you receive.' },
  id: { title: 'Pengaturan', about: 'Akun Anda dan email yang Anda terima.' },
})

export function SettingsPage() {
  const t = useWords(text)
  return (
    <Page title={t.title} description={t.about}>
      <TenantFacts />
      <NotificationList />
      <OtherSettings />
    </Page>
  )
}
