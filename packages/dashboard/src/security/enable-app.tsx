import { confirmTotpInput } from '@gapura/server/second-factor-input'
import { Center, Skeleton, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useEffect } from 'react'
import { client } from '../api/trpc.ts'
import { Qr } from '../instructions/qr.tsx'
import { useWords, words } from '../language/language.tsx'
import { ActRow } from '../parts/act-row.tsx'
import { Copied } from '../parts/copied.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { Refusal } from '../parts/refusal.tsx'
import { useAct } from '../parts/use-act.ts'
import { useChecks } from '../parts/use-checks.ts'
import { CurrentPassword } from '../session/current-password.tsx'

const text = words({
  en: {
    title: 'Enable authenticator app',
    scan: 'Scan this code with an app such as Google Authenticator, 1Password or Aegis. Then enter the six-digit code shown in the app.',
    qr: 'QR code for the authenticator app',
    secret: 'Secret for apps without a camera',
    code: 'Code',
    enable: 'Enable app',
    enabled: 'Authenticator app enabled',
  },
  id: {
    title: 'Aktifkan aplikasi autentikator',
    scan: 'Pindai kode ini dengan aplikasi seperti Google Authenticator, 1Password, atau Aegis. Lalu masukkan enam angka yang ditampilkan aplikasi.',
    qr: 'Kode QR untuk aplikasi autentikator',
    secret: 'Kunci rahasia untuk aplikasi tanpa kamera',
    code: 'Kode',
    enable: 'Aktifkan aplikasi',
    enabled: 'Aplikasi autentikator diaktifkan',
  },
})

type Given = {
  /**
   * Whether the user has no second factor yet. In that case, the user must enter the password to enable the
   * app.
   */
  isFirst: boolean
  close: () => void
  onEnabled: (recoveryCodes: string[] | null) => void
}

export default function EnableApp({ isFirst, close, onEnabled }: Given) {
  const t = useWords(text)
  const starting = useAct({
    gcTime: 0,
    form: { setFieldError() {}, getValues: () => ({}) },
    mutationFn: () => client.secondFactor.startTotp.mutate(),
  })
  const { mutate: start } = starting
  useEffect(() => start(undefined), [start])
  const form = useForm<{ code: string; current_password?: string }>({
    initialValues: { code: '', ...(isFirst && { current_password: '' }) },
    validate: useChecks(confirmTotpInput),
  })
  const confirming = useAct({
    form,
    done: t.enabled,
    gcTime: 0,
    mutationFn: (given: typeof form.values) => client.secondFactor.confirmTotp.mutate(given),
    onSuccess: ({ recovery_codes }) => onEnabled(recovery_codes),
  })
  return (
    <Dialog title={t.title} onClose={close}>
      <form onSubmit={form.onSubmit(given => confirming.mutate(given))} noValidate>
        <Stack>
          <Text size="sm">{t.scan}</Text>
          <Refusal said={starting.refusal} />
          <Center>
            {starting.data ? <Qr content={starting.data.uri} title={t.qr} /> : <Skeleton h={232} w={232} />}
          </Center>
          {starting.data && (
            <div>
              <Text size="sm" fw={500}>
                {t.secret}
              </Text>
              <Copied value={starting.data.secret} what={t.secret} isBlock />
            </div>
          )}
          {isFirst && <CurrentPassword {...form.getInputProps('current_password')} data-autofocus />}
          <TextInput
            {...form.getInputProps('code')}
            label={t.code}
            inputMode="numeric"
            autoComplete="one-time-code"
            required
            data-autofocus={!isFirst || undefined}
          />
          <ActRow back={close} act={t.enable} isActing={confirming.isPending} refusal={confirming.refusal} />
        </Stack>
      </form>
    </Dialog>
  )
}
