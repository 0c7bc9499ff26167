import { PasswordInput, type PasswordInputProps } from '@mantine/core'
import { useWords, words } from '../language/language.tsx'
import { useAccount } from './account.ts'

const text = words({
  en: { current: 'Current password' },
  id: { current: 'Kata sandi saat ini' },
})

/** The input in which a logged-in user enters the current password. */
export function CurrentPassword(props: PasswordInputProps) {
  const t = useWords(text)
  const { user } = useAccount()
  return (
    <>
      {/* The hidden username shows password managers which password to enter or update. */}
      <input type="text" autoComplete="username" value={user.email} readOnly hidden />
      <PasswordInput {...props} label={t.current} autoComplete="current-password" required />
    </>
  )
}
