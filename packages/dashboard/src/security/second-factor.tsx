import { Button, Group, Skeleton, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { client, trpc } from '../api/trpc.ts'
import { useWords, words } from '../language/language.tsx'
import { Confirm } from '../parts/confirm.tsx'
import { Panel } from '../parts/panel.tsx'
import { Failure } from '../parts/states.tsx'
import { Tag } from '../parts/tag.tsx'
import { useAct } from '../parts/use-act.ts'
import { PasskeyList } from './passkey-list.tsx'

const EnableApp = lazy(() => import('./enable-app.tsx'))
const RecoveryCodes = lazy(() => import('./recovery-codes.tsx'))

const text = words({
  en: {
    title: 'Second factor',
    why: 'A second factor protects your account if someone else learns your password. Logging in then also requires a code or a passkey.',
    app: 'Authenticator app',
    on: 'Enabled',
    off: 'Not enabled',
    enable: 'Enable app',
    disable: 'Disable app',
    disableWhat:
      'Codes from your authenticator app stop working. If you have no passkey, you can then log in with your password alone.',
    disabled: 'Authenticator app disabled',
    codes: 'Recovery codes',
    left: (n: number) => `${n} of 10 codes left. Each code can replace the second factor once.`,
    renew: 'New codes',
  },
  id: {
    title: 'Faktor kedua',
    why: 'Faktor kedua melindungi akun Anda jika orang lain mengetahui kata sandi Anda. Untuk masuk diperlukan juga kode atau kunci sandi (passkey).',
    app: 'Aplikasi autentikator',
    on: 'Aktif',
    off: 'Tidak aktif',
    enable: 'Aktifkan aplikasi',
    disable: 'Nonaktifkan aplikasi',
    disableWhat:
      'Kode dari aplikasi tidak berlaku lagi. Jika Anda tidak punya kunci sandi, untuk masuk hanya diperlukan kata sandi.',
    disabled: 'Aplikasi autentikator dinonaktifkan',
    codes: 'Kode pemulihan',
    left: (n: number) => `Tersisa ${n} dari 10 kode. Setiap kode menggantikan faktor kedua satu kali.`,
    renew: 'Kode baru',
  },
})

/** Shows the user's second factors, and lets the user add and remove them. */
export function SecondFactor() {
  const t = useWords(text)
  const queries = useQueryClient()
  const { data, error, refetch } = useQuery(trpc.secondFactor.get.queryOptions({}))
  const [isEnabling, enabler] = useDisclosure()
  const [isDisabling, disabler] = useDisclosure()
  const [codes, setCodes] = useState<string[] | null>(null)
  const refresh = () => {
    void queries.invalidateQueries({ queryKey: trpc.secondFactor.pathKey() })
    void queries.invalidateQueries({ queryKey: trpc.sessions.pathKey() })
    void queries.invalidateQueries({ queryKey: trpc.tenants.account.pathKey() })
  }
  const disabling = useAct({
    done: t.disabled,
    mutationFn: () => client.secondFactor.removeTotp.mutate(),
    onSuccess: refresh,
    onSettled: disabler.close,
  })
  const renewing = useAct({
    gcTime: 0,
    mutationFn: () => client.secondFactor.renewRecoveryCodes.mutate(),
    onSuccess(renewed) {
      setCodes(renewed.recovery_codes)
      refresh()
    },
  })
  const added = (codes: string[] | null) => {
    enabler.close()
    setCodes(codes)
    refresh()
  }
  if (error && !data) return <Failure error={error} retry={() => void refetch()} />
  if (!data) return <Skeleton height={200} radius="md" />
  const hasFactor = data.has_totp || data.passkeys.length > 0
  return (
    <Panel title={t.title}>
      <Stack gap="lg">
        <Text size="sm" c="dimmed">
          {t.why}
        </Text>
        <Group justify="space-between">
          <Group gap="sm">
            <Text fw={600}>{t.app}</Text>
            <Tag tone={data.has_totp ? 'good' : 'over'}>{data.has_totp ? t.on : t.off}</Tag>
          </Group>
          <Button variant="default" onClick={data.has_totp ? disabler.open : enabler.open}>
            {data.has_totp ? t.disable : t.enable}
          </Button>
        </Group>
        <PasskeyList passkeys={data.passkeys} isFirst={!hasFactor} onAdded={added} onRemoved={refresh} />
        {hasFactor && (
          <Group justify="space-between">
            <div>
              <Text fw={600}>{t.codes}</Text>
              <Text size="sm" c="dimmed">
                {t.left(data.recovery_codes_left)}
              </Text>
            </div>
            <Button variant="default" loading={renewing.isPending} onClick={() => renewing.mutate()}>
              {t.renew}
            </Button>
          </Group>
        )}
      </Stack>
      <Suspense>
        {isEnabling && <EnableApp isFirst={!hasFactor} close={enabler.close} onEnabled={added} />}
        {codes && <RecoveryCodes codes={codes} close={() => setCodes(null)} />}
      </Suspense>
      <Confirm
        isOpen={isDisabling}
        close={disabler.close}
        title={t.disable}
        act={t.disable}
        isActing={disabling.isPending}
        onAct={() => disabling.mutate()}
        isGrave
      >
        {t.disableWhat}
      </Confirm>
    </Panel>
  )
}
