import { createUserInput } from '@gapura/server/user-input'
import { Button, Group, PasswordInput, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { client, trpc } from '../api/trpc.ts'
import { useWords, words } from '../language/language.tsx'
import { Refusal } from '../parts/refusal.tsx'
import { ShownOnce } from '../parts/shown-once.tsx'
import { useAct } from '../parts/use-act.ts'
import { useChecks } from '../parts/use-checks.ts'
import { randomPassword } from './random-password.ts'

const text = words({
  en: {
    email: 'Email address',
    password: 'Password',
    passwordHint: 'At least 8 characters. The user can change the password after logging in.',
    generate: 'Generate',
    add: 'Add user',
    passwordOf: (email: string) => `Password of ${email}`,
  },
  id: {
    email: 'Alamat email',
    password: 'Kata sandi',
    passwordHint: 'Minimal 8 karakter. Pengguna dapat mengganti kata sandi setelah masuk.',
    generate: 'Buat otomatis',
    add: 'Tambahkan pengguna',
    passwordOf: (email: string) => `Kata sandi ${email}`,
  },
})

type Given = { tenantId: string; onCreated?: () => void; aside?: ReactNode }

/** Creates a user and shows the user's password once. `aside` is shown beside the submit button. */
export function NewUserForm({ tenantId, onCreated, aside }: Given) {
  const t = useWords(text)
  const queries = useQueryClient()
  const [made, setMade] = useState<{ email: string; password: string }>()
  const [isShown, setShown] = useState(false)
  const form = useForm({
    initialValues: { email: '', password: '' },
    validate: useChecks(createUserInput),
  })
  const add = useAct({
    mutationFn: (user: { email: string; password: string }) =>
      client.users.create.mutate({ tenant_id: tenantId, ...user }),
    form,
    // The password is shown only on this page and is not stored in the query cache.
    gcTime: 0,
    onSuccess: (_, user) => {
      void queries.invalidateQueries({ queryKey: trpc.users.pathKey() })
      setMade(user)
      onCreated?.()
    },
  })
  if (made) return <ShownOnce what={t.passwordOf(made.email)} value={made.password} />
  return (
    <form onSubmit={form.onSubmit(user => add.mutate(user))} autoComplete="off" noValidate>
      <Stack>
        <TextInput label={t.email} type="email" required data-autofocus {...form.getInputProps('email')} />
        <PasswordInput
          label={t.password}
          required
          description={t.passwordHint}
          autoComplete="new-password"
          visible={isShown}
          onVisibilityChange={setShown}
          {...form.getInputProps('password')}
        />
        <Refusal said={add.refusal} />
        <Group justify="space-between">
          <Button
            variant="subtle"
            onClick={() => {
              form.setFieldValue('password', randomPassword())
              setShown(true)
            }}
          >
            {t.generate}
          </Button>
          <Group>
            {aside}
            <Button type="submit" loading={add.isPending}>
              {t.add}
            </Button>
          </Group>
        </Group>
      </Stack>
    </form>
  )
}
