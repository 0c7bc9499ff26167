import { confirmPasswordResetInput } from '@gapura/server/user-input'
import { Alert, Button, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { IconCheck } from '@tabler/icons-react'
import { publicClient } from '../api/public-client.ts'
import { useWords, words } from '../language/language.tsx'
import { ButtonLink } from '../parts/links.tsx'
import { Refusal } from '../parts/refusal.tsx'
import { useAct } from '../parts/use-act.ts'
import { NewPassword, useNewPasswordChecks } from './new-password.tsx'

const text = words({
  en: {
    token: 'Token from the email',
    set: 'Set password',
    done: 'New password set',
    doneMore:
      'All your sessions have ended, on this device and on other devices. Log in with the new password.',
    logIn: 'Log in',
  },
  id: {
    token: 'Token dari email',
    set: 'Simpan kata sandi',
    done: 'Kata sandi baru Anda tersimpan',
    doneMore:
      'Semua sesi Anda telah berakhir, di sini dan di perangkat lain. Masuklah dengan kata sandi baru.',
    logIn: 'Masuk',
  },
})

export function SetPassword() {
  const t = useWords(text)
  const form = useForm({
    initialValues: { token: '', new_password: '', again: '' },
    validate: useNewPasswordChecks(confirmPasswordResetInput),
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
        <NewPassword inputProps={name => form.getInputProps(name)} />
        <Refusal said={setting.refusal} />
        <Button type="submit" loading={setting.isPending}>
          {t.set}
        </Button>
      </Stack>
    </form>
  )
}
