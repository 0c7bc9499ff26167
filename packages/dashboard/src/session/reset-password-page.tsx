import { SegmentedControl } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useWords, words } from '../language/language.tsx'
import { TextLink } from '../parts/links.tsx'
import { AskForToken } from './ask-for-token.tsx'
import { Outside } from './outside.tsx'
import { SetPassword } from './set-password.tsx'

const text = words({
  en: {
    title: 'Reset your password',
    step: 'Step',
    ask: '1. Get a token',
    set: '2. New password',
    back: 'Back to login',
  },
  id: {
    title: 'Atur ulang kata sandi',
    step: 'Langkah',
    ask: '1. Minta token',
    set: '2. Kata sandi baru',
    back: 'Kembali ke halaman masuk',
  },
})

export function ResetPasswordPage() {
  const t = useWords(text)
  const { step } = useSearch({ from: '/reset-password' })
  const navigate = useNavigate({ from: '/reset-password' })
  const go = (step: string) => void navigate({ search: { step }, replace: true })
  return (
    <Outside
      title={t.title}
      below={
        <TextLink to="/login" size="sm">
          {t.back}
        </TextLink>
      }
    >
      <SegmentedControl
        aria-label={t.step}
        fullWidth
        size="xs"
        value={step === 'set' ? 'set' : 'ask'}
        onChange={go}
        data={[
          { value: 'ask', label: t.ask },
          { value: 'set', label: t.set },
        ]}
      />
      {step === 'set' ? <SetPassword /> : <AskForToken goOn={() => go('set')} />}
    </Outside>
  )
}
