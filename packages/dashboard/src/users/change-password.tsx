import { changePasswordInput } from '@gapura/server/user-input'
import { Alert, Button, PasswordInput, Stack } from '@mantine/core'
import { useForm } from '@mantine/form'
import { IconCheck } from '@tabler/icons-react'
import { client } from '../api/trpc.ts'
import { useWords, words } from '../language/language.tsx'
import { Panel } from '../parts/panel.tsx'
import { useAct } from '../parts/use-act.ts'
import { useChecks } from '../parts/use-checks.ts'
import { useAccount } from '../session/account.ts'

const text = words({
  en: {
    title: 'Change your password',
    current: 'Current password',
    next: 'New password',
    rule: 'At least 8 characters.',
    again: 'New password once more',
    differs: 'This is not the same password',
    change: 'Change the password',
    done: 'Your password is changed',
    doneMore: 'Every other session of yours has ended; on other devices, log in with the new password.',
  },
  id: {
    title: 'Ganti kata sandi Anda',
    current: 'Kata sandi saat ini',
    next: 'Kata sandi baru',
    rule: 'Minimal 8 karakter.',
    again: 'Ulangi kata sandi baru',
    differs: 'Kata sandi tidak sama',
    change: 'Ganti kata sandi',
    done: 'Kata sandi Anda telah diganti',
    doneMore: 'Semua sesi Anda yang lain telah berakhir; di perangkat lain, masuklah dengan kata sandi baru.',
  },
})

export function ChangePassword() {
  const t = useWords(text)
  const { user } = useAccount()
  const check = useChecks(changePasswordInput)
  const form = useForm({
    initialValues: { current_password: '', new_password: '', again: '' },
    validate: values => ({
      ...check(values),
      ...(values.again !== values.new_password && { again: t.differs }),
    }),
  })
  const changing = useAct({
    form,
    gcTime: 0,
    mutationFn: ({ current_password, new_password }: typeof form.values) =>
      client.users.changePassword.mutate({ current_password, new_password }),
    onSuccess: form.reset,
  })
  return (
    <Panel title={t.title}>
      <form onSubmit={form.onSubmit(given => changing.mutate(given))} noValidate>
        <Stack maw={400}>
          {/* A password manager wants to know whose password it is. */}
          <input type="text" autoComplete="username" value={user.email} readOnly hidden />
          <PasswordInput
            {...form.getInputProps('current_password')}
            label={t.current}
            autoComplete="current-password"
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
          <div>
            <Button type="submit" loading={changing.isPending}>
              {t.change}
            </Button>
          </div>
        </Stack>
        <div role="status">
          {changing.isSuccess && (
            <Alert mt="md" maw={400} color="teal" icon={<IconCheck />} title={t.done}>
              {t.doneMore}
            </Alert>
          )}
        </div>
      </form>
    </Panel>
  )
}
