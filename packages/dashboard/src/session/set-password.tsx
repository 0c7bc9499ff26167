import { confirmPasswordResetInput } from '@gapura/server/user-input'
import { Alert, Button, PasswordInput, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { IconCheck } from '@tabler/icons-react'
import { publicClient } from '../api/public-client.ts'
import { useWords, words } from '../language/language.tsx'
import { ButtonLink } from '../parts/links.tsx'
import { useAct } from '../parts/use-act.ts'
import { useChecks } from '../parts/use-checks.ts'

const text = words({
  en: {
    token: 'Token from the mail',
    next: 'New password',
    rule: 'At least 8 characters.',
    again: 'New password once more',
    differs: 'This is not the same password',
    set: 'Set the password',
    done: 'Your new password is set',
    doneMore: 'Every session of yours has ended, here and on other devices.',
    logIn: 'Log in',
  },
  id: {
    token: 'Token dari email',
    next: 'Kata sandi baru',
    rule: 'Minimal 8 karakter.',
    again: 'Ulangi kata sandi baru',
    differs: 'Kata sandi tidak sama',
    set: 'Simpan kata sandi',
    done: 'Kata sandi baru Anda tersimpan',
    doneMore: 'Semua sesi Anda telah berakhir, di sini dan di perangkat lain.',
    logIn: 'Masuk',
  },
})

export function SetPassword() {
  const t = useWords(text)
  const check = useChecks(confirmPasswordResetInput)
  const form = useForm({
    initialValues: { token: '', new_password: '', again: '' },
    validate: values => ({
      ...check(values),
      ...(values.again !== values.new_password && { again: t.differs }),
    }),
  })
  const setting = useAct({
    form,
    gcTime: 0,
    mutationFn: ({ token, new_password }: typeof form.values) =>
      publicClient.auth.confirmPasswordReset.mutate({ token: token.trim(), new_password }),
    onSuccess: form.reset,
  })
  if (setting.isSuccess)
    return (
      <>
        <Alert color="teal" icon={<IconCheck />} title={t.done} role="status">
          {t.doneMore}
        </Alert>
        <ButtonLink to="/login" autoFocus>
          {t.logIn}
        </ButtonLink>
      </>
    )
  return (
    <form onSubmit={form.onSubmit(given => setting.mutate(given))} noValidate>
      <Stack>
        <TextInput
          {...form.getInputProps('token')}
          label={t.token}
          placeholder="gp_reset_…"
          autoComplete="off"
          spellCheck={false}
          required
        />
        <PasswordInput
          {...form.getInputProps('new_password')}
          label={t.next}
          description={t.rule}
          autoComplete="new-password"
          required
        />
        <PasswordInput
          {...form.getInputProps('again')}
          label={t.again}
          autoComplete="new-password"
          required
        />
        <Button type="submit" loading={setting.isPending}>
          {t.set}
        </Button>
      </Stack>
    </form>
  )
}
