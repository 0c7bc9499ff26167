import { createUserInput } from '@gapura/server/user-input'
import { PasswordInput, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQueryClient } from '@tanstack/react-query'
import { client, trpc } from '../api/trpc.ts'
import { useWords, words } from '../language/language.tsx'
import { ActRow } from '../parts/act-row.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { useAct } from '../parts/use-act.ts'
import { useChecks } from '../parts/use-checks.ts'
import { useAccount } from '../session/account.ts'

const text = words({
  en: {
    title: 'Add user',
    what: 'The user logs in with this address and password, and has the same permissions as you. Share the password securely. The user can change it on this page.',
    email: 'Email address',
    password: 'Initial password',
    rule: 'At least 8 characters.',
    add: 'Add user',
    added: 'The user can now log in',
  },
  id: {
    title: 'Tambah pengguna',
    what: 'Pengguna masuk dengan alamat dan kata sandi ini, dan memiliki hak akses yang sama dengan Anda. Sampaikan kata sandi dengan aman. Pengguna dapat menggantinya di halaman ini.',
    email: 'Alamat email',
    password: 'Kata sandi awal',
    rule: 'Minimal 8 karakter.',
    add: 'Tambahkan',
    added: 'Pengguna sudah dapat masuk',
  },
})

export default function NewUser({ close }: { close: () => void }) {
  const t = useWords(text)
  const { id: tenant_id } = useAccount()
  const queries = useQueryClient()
  const form = useForm({
    initialValues: { email: '', password: '' },
    validate: useChecks(createUserInput),
  })
  const adding = useAct({
    form,
    done: t.added,
    gcTime: 0,
    mutationFn: (wanted: typeof form.values) => client.users.create.mutate({ tenant_id, ...wanted }),
    onSuccess() {
      void queries.invalidateQueries({ queryKey: trpc.users.listOwn.pathKey() })
      close()
    },
  })
  return (
    <Dialog onClose={close} title={t.title}>
      <form onSubmit={form.onSubmit(wanted => adding.mutate(wanted))} noValidate>
        <Stack>
          <Text size="sm">{t.what}</Text>
          <TextInput
            {...form.getInputProps('email')}
            type="email"
            label={t.email}
            autoComplete="off"
            required
            data-autofocus
          />
          <PasswordInput
            {...form.getInputProps('password')}
            label={t.password}
            description={t.rule}
            autoComplete="new-password"
            required
          />
          <ActRow back={close} act={t.add} isActing={adding.isPending} refusal={adding.refusal} />
        </Stack>
      </form>
    </Dialog>
  )
}
