import { useWords, words } from '../language/language.tsx'
import { Page } from '../parts/page.tsx'
import { useAccount } from '../session/account.ts'
import { Branding } from './branding.tsx'
import { NotificationList } from './notification-list.tsx'
import { OtherSettings } from './other-settings.tsx'
import { TenantFacts } from './tenant-facts.tsx'

const text = words({
  en: { title: 'Settings', about: 'Your account, what your customers see, and the emails that you receive.' },
  id: { title: 'Pengaturan', about: 'Akun Anda, tampilan bagi pelanggan Anda, dan email yang Anda terima.' },
})

export function SettingsPage() {
  const t = useWords(text)
  const { role } = useAccount()
  return (
    <Page title={t.title} description={t.about}>
      <TenantFacts />
      {role === 'client' && <Branding />}
      <NotificationList />
      <OtherSettings />
    </Page>
  )
}
