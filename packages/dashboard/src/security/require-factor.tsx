import { Stack, Switch, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { client, trpc } from '../api/trpc.ts'
import { useWords, words } from '../language/language.tsx'
import { Panel } from '../parts/panel.tsx'
import { useAct } from '../parts/use-act.ts'
import { useAccount, useIsPermitted } from '../session/account.ts'
import { RefundProof } from './refund-proof.tsx'

const text = words({
  en: {
    title: 'Team',
    require: 'Require a second factor from every user',
    hint: 'While this setting is on, users without a second factor can log in only to add one. To turn the setting on, you need a second factor yourself.',
    saved: 'Setting saved',
  },
  id: {
    title: 'Tim',
    require: 'Wajibkan faktor kedua bagi setiap pengguna',
    hint: 'Pengguna tanpa faktor kedua hanya dapat masuk untuk menambahkannya. Anda sendiri harus punya faktor kedua untuk mengaktifkan ini.',
    saved: 'Pengaturan disimpan',
  },
})

/** The settings that determine when the tenant's users need a second factor. Admins can change them. */
export function RequireFactor() {
  const t = useWords(text)
  const queries = useQueryClient()
  const isAdmin = useIsPermitted('admin')
  const { second_factor_required, has_second_factor } = useAccount()
  const saving = useAct({
    done: t.saved,
    mutationFn: (second_factor_required: boolean) =>
      client.secondFactor.require.mutate({ second_factor_required }),
    onSuccess: () => queries.invalidateQueries({ queryKey: trpc.tenants.account.pathKey() }),
  })
  if (!isAdmin) return null
  return (
    <Panel title={t.title}>
      <Stack gap="xs">
        <Switch
          label={t.require}
          checked={second_factor_required}
          disabled={saving.isPending || !(has_second_factor || second_factor_required)}
          onChange={event => saving.mutate(event.currentTarget.checked)}
        />
        <Text size="sm" c="dimmed">
          {t.hint}
        </Text>
        <RefundProof />
      </Stack>
    </Panel>
  )
}
