import { requestPasswordResetInput } from '@gapura/server/user-input'
import { Alert, Button, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { IconMailCheck } from '@tabler/icons-react'
import { publicClient } from '../api/public-client.ts'
import { useWords, words } from '../language/language.tsx'
import { Refusal } from '../parts/refusal.tsx'
import { useAct } from '../parts/use-act.ts'
import { useChecks } from '../parts/use-checks.ts'

const text = words({
  en: {
    tenant: 'Tenant ID',
    where:
      'You find it on the Users page of the dashboard. If you cannot log in, ask a colleague or the person who gave you access.',
    email: 'Email address',
    send: 'Send token',
    sent: 'Check your email',
    sentMore:
      'If the address belongs to a user of this tenant, an email with a token is on its way. The token works once and expires after 30 minutes.',
    goOn: 'I have a token',
  },
  id: {
    tenant: 'ID tenant',
    where:
      'Ada di halaman Pengguna pada dasbor. Jika tidak dapat masuk, tanyakan kepada rekan atau pihak yang memberi Anda akses.',
    email: 'Alamat email',
    send: 'Kirim token',
    sent: 'Periksa email Anda',
    sentMore:
      'Jika alamat itu milik pengguna tenant ini, email berisi token sedang dikirim. Token berlaku satu kali dan kedaluwarsa setelah 30 menit.',
    goOn: 'Saya sudah punya token',
  },
})

export function AskForToken({ goOn }: { goOn: () => void }) {
  const t = useWords(text)
  const form = useForm({
    initialValues: { tenant_id: '', email: '' },
    validate: useChecks(requestPasswordResetInput),
  })
  const asking = useAct({
    form,
    mutationFn: (wanted: typeof form.values) => publicClient.auth.requestPasswordReset.mutate(wanted),
  })
  if (asking.isSuccess)
    return (
      <>
        <Alert color="teal" icon={<IconMailCheck />} title={t.sent} role="status">
          {t.sentMore}
        </Alert>
        <Button onClick={goOn} autoFocus>
          {t.goOn}
        </Button>
      </>
    )
  return (
    <form onSubmit={form.onSubmit(wanted => asking.mutate(wanted))} noValidate>
      <Stack>
        <TextInput
          {...form.getInputProps('tenant_id')}
          // The value is trimmed, because copied text often has surrounding spaces.
          onChange={event => form.setFieldValue('tenant_id', event.currentTarget.value.trim())}
          label={t.tenant}
          autoComplete="off"
          spellCheck={false}
          placeholder="01990000-0000-7000-8000-000000000010"
          required
        />
        <Text size="xs" c="dimmed" mt={-8}>
          {t.where}
        </Text>
        <TextInput
          {...form.getInputProps('email')}
          type="email"
          label={t.email}
          autoComplete="username"
          required
        />
        <Refusal said={asking.refusal} />
        <Button type="submit" loading={asking.isPending}>
          {t.send}
        </Button>
      </Stack>
    </form>
  )
}
