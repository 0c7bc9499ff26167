import { Stack, Switch, Text } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { client, trpc } from '../api/trpc.ts'
import { useWords, words } from '../language/language.tsx'
import { Panel } from '../parts/panel.tsx'
import { Failure, Pending } from '../parts/states.tsx'
import { useAct } from '../parts/use-act.ts'
import { useAccount } from '../session/account.ts'
import { type Choices, kinds, notificationWords } from './notification-words.ts'

const text = words({
  en: {
    title: 'Notifications',
    about: (email: string) =>
      `Emails to ${email} about problems that need your action. Most emails are repeated once a day until the problem is solved. Your notification settings do not affect other users.`,
    none: 'Users with your permissions do not receive emails about problems.',
    security:
      'Emails about the security of your account, for example about a login from a new device or a password reset, cannot be turned off.',
    saved: 'Saved',
  },
  id: {
    title: 'Notifikasi',
    about: (email: string) =>
      `Email ke ${email} tentang masalah yang memerlukan tindakan Anda. Kebanyakan email diulang sekali sehari sampai masalahnya selesai. Pilihan Anda tidak memengaruhi pengguna lain.`,
    none: 'Pengguna dengan izin seperti Anda tidak menerima email tentang masalah.',
    security:
      'Email tentang keamanan akun tidak dapat dimatikan, misalnya tentang masuk dari perangkat baru atau pengaturan ulang kata sandi.',
    saved: 'Tersimpan',
  },
})

/** Lets the user choose which emails about problems to receive. */
export function NotificationList() {
  const t = useWords(text)
  const problems = useWords(notificationWords)
  const queries = useQueryClient()
  const { email } = useAccount().user
  const { data, error, refetch } = useQuery(trpc.notifications.get.queryOptions({}))
  const saving = useAct({
    done: t.saved,
    mutationFn: (choices: Choices) => client.notifications.update.mutate(choices),
    onSuccess: saved => void queries.setQueryData(trpc.notifications.get.queryKey({}), saved),
  })
  if (error && !data) return <Failure error={error} retry={() => void refetch()} />
  if (!data) return <Pending />
  const shown = kinds.filter(kind => data[kind] !== undefined)
  return (
    <Panel title={t.title}>
      <Stack gap="md">
        <Text size="sm" c="dimmed">
          {shown.length === 0 ? t.none : t.about(email)}
        </Text>
        {shown.map(kind => (
          <Switch
            key={kind}
            label={problems[kind].label}
            description={problems[kind].description}
            checked={data[kind] === true}
            disabled={saving.isPending}
            onChange={event => saving.mutate({ [kind]: event.currentTarget.checked })}
          />
        ))}
        <Text size="sm" c="dimmed">
          {t.security}
        </Text>
      </Stack>
    </Panel>
  )
}
