import { useWords, words } from '../language/language.tsx'
import { Page } from '../parts/page.tsx'
import { ChangePassword } from './change-password.tsx'
import { RequireFactor } from './require-factor.tsx'
import { SecondFactor } from './second-factor.tsx'
import { SessionList } from './session-list.tsx'

const text = words({
  en: {
    title: 'Security',
    about: 'Your password, your second factor and the devices where you are logged in.',
  },
  id: { title: 'Keamanan', about: 'Kata sandi, faktor kedua, dan perangkat tempat Anda masuk.' },
})

export function SecurityPage() {
  const t = useWords(text)
  return (
    <Page title={t.title} description={t.about}>
      <SecondFactor />
      <SessionList />
      <ChangePassword />
      <RequireFactor />
    </Page>
  )
}
