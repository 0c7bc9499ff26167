import { PasswordInput, type PasswordInputProps } from '@mantine/core'
import { useWords, words } from '../language/language.tsx'
import { useChecks } from '../parts/use-checks.ts'

const text = words({
  en: {
    next: 'New password',
    rule: 'At least 8 characters.',
    again: 'Repeat new password',
    differs: 'The passwords do not match',
  },
  id: {
    next: 'Kata sandi baru',
    rule: 'Minimal 8 karakter.',
    again: 'Ulangi kata sandi baru',
    differs: 'Kata sandi tidak sama',
  },
})

type Typed = { new_password: string; again: string }

/**
 * Returns the validation function for the new-password form. The function checks the schema's rules and whether
 * both passwords match.
 */
export function useNewPasswordChecks(schema: Parameters<typeof useChecks>[0]) {
  const t = useWords(text)
  const check = useChecks(schema)
  return (values: Typed): Record<string, string> => ({
    ...check(values),
    ...(values.again !== values.new_password && { again: t.differs }),
  })
}

/** The two inputs for a new password. The user types the password twice. */
export function NewPassword({ inputProps }: { inputProps: (name: keyof Typed) => PasswordInputProps }) {
  const t = useWords(text)
  return (
    <>
      <PasswordInput
        {...inputProps('new_password')}
        label={t.next}
        description={t.rule}
        autoComplete="new-password"
        required
      />
      <PasswordInput {...inputProps('again')} label={t.again} autoComplete="new-password" required />
    </>
  )
}
