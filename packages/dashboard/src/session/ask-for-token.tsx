import { forgottenPasswordInput } from '@gapura/server/user-input'
import { Alert, Button, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { IconMailCheck } from '@tabler/icons-react'
import { publicClient } from '../api/public-client.ts'
import { useWords, words } from '../language/language.tsx'
import { Refusal } from '../parts/refusal.tsx'
import { useAct } from '../parts/use-act.ts'
import { useChecks } from '../parts/use-checks.ts'

const text = words({
  en: {
    email: 'Email address',
    send: 'Send token',
    sent: 'Check your email',
    sentMore:
      'If the address belongs to a user, an email with a token is on its way. The token can be used once and expires after 30 minutes.',
    goOn: 'I have a token',
  },
  id: {
    email: 'Alamat email',
    send: 'Kirim token',
    sent: 'Periksa email Anda',
    sentMore:
      'Jika alamat itu milik seorang pengguna, email berisi token sedang dikirim. Token berlaku satu kali dan kedaluwarsa setelah 30 menit.',
    goOn: 'Saya sudah punya token',
  },
})

export function AskForToken({ goOn }: { goOn: () => void }) {
  const t = useWords(text)
  const form = useForm({
    initialValues: { email: '' },
    validate: useChecks(forgottenPasswordInput),
  })
  const asking = useAct({
    form,
    mutationFn: (wanted: typeof form.values) => publicClient.session.requestPasswordReset.mutate(wanted),
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
