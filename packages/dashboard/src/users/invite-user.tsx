import type { Permission } from '@gapura/server/permission'
import { createUserInput } from '@gapura/server/user-input'
import { Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQueryClient } from '@tanstack/react-query'
import { client, trpc } from '../api/trpc.ts'
import { useWords, words } from '../language/language.tsx'
import { ActRow } from '../parts/act-row.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { useAct } from '../parts/use-act.ts'
import { useChecks } from '../parts/use-checks.ts'
import { PermissionsInput } from './permissions-input.tsx'

const text = words({
  en: {
    title: 'Invite user',
    what: 'The user receives an email with a link for setting a password. The link can be used once, within 7 days.',
    email: 'Email address',
    invite: 'Send invitation',
    invited: 'Invitation sent',
  },
  id: {
    title: 'Undang pengguna',
    what: 'Pengguna menerima email berisi tautan untuk membuat kata sandi. Tautan hanya dapat dipakai satu kali dan berlaku selama 7 hari.',
    email: 'Alamat email',
    invite: 'Kirim undangan',
    invited: 'Undangan terkirim',
  },
})

export default function InviteUser({ tenantId, close }: { tenantId: string; close: () => void }) {
  const t = useWords(text)
  const queries = useQueryClient()
  const form = useForm<{ email: string; permissions: Permission[] }>({
    initialValues: { email: '', permissions: ['viewer'] },
    validate: useChecks(createUserInput),
  })
  const inviting = useAct({
    form,
    done: t.invited,
    mutationFn: (wanted: typeof form.values) =>
      client.users.create.mutate({ tenant_id: tenantId, ...wanted }),
    onSuccess() {
      void queries.invalidateQueries({ queryKey: trpc.users.pathKey() })
      close()
    },
  })
  return (
    <Dialog onClose={close} title={t.title}>
      <form onSubmit={form.onSubmit(wanted => inviting.mutate(wanted))} noValidate>
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
          <PermissionsInput {...form.getInputProps('permissions')} />
          <ActRow back={close} act={t.invite} isActing={inviting.isPending} refusal={inviting.refusal} />
        </Stack>
      </form>
    </Dialog>
  )
}
