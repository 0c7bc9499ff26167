import { changePasswordInput } from '@gapura/server/user-input'
import { Alert, Button, Stack } from '@mantine/core'
import { useForm } from '@mantine/form'
import { IconCheck } from '@tabler/icons-react'
import { client } from '../api/trpc.ts'
import { useWords, words } from '../language/language.tsx'
import { Panel } from '../parts/panel.tsx'
import { Refusal } from '../parts/refusal.tsx'
import { useAct } from '../parts/use-act.ts'
import { CurrentPassword } from '../session/current-password.tsx'
import { NewPassword, useNewPasswordChecks } from '../session/new-password.tsx'

const text = words({
  en: {
    title: 'Change your password',
    change: 'Change password',
    done: 'Password changed',
    doneMore: 'All your other sessions have ended. On other devices, log in with the new password.',
  },
  id: {
    title: 'Ganti kata sandi Anda',
    change: 'Ganti kata sandi',
    done: 'Kata sandi Anda telah diganti',
    doneMore: 'Semua sesi Anda yang lain telah berakhir. Di perangkat lain, masuklah dengan kata sandi baru.',
  },
})

export function ChangePassword() {
  const t = useWords(text)
  const form = useForm({
    initialValues: { current_password: '', new_password: '', again: '' },
    validate: useNewPasswordChecks(changePasswordInput),
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
          <CurrentPassword {...form.getInputProps('current_password')} />
          <NewPassword inputProps={name => form.getInputProps(name)} />
          <Refusal said={changing.refusal} />
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
