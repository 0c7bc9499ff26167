import { Alert, Button, Stack, Text, TextInput } from '@mantine/core'
import { IconAlertCircle, IconFingerprint } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import type { FormEvent } from 'react'
import { useWords, words } from '../language/language.tsx'
import { useFaultWords } from '../parts/use-fault-words.ts'

const text = words({
  en: {
    app: 'Enter the six-digit code shown in your authenticator app, or one of your recovery codes.',
    recovery: 'Use your passkey, or enter one of your recovery codes.',
    code: 'Code',
    passkey: 'Use passkey',
    cancelled: 'Passkey login failed. Try again, or enter a code.',
  },
  id: {
    app: 'Masukkan enam angka dari aplikasi autentikator Anda, atau salah satu kode pemulihan.',
    recovery: 'Gunakan kunci sandi (passkey), atau masukkan salah satu kode pemulihan.',
    code: 'Kode',
    passkey: 'Gunakan kunci sandi',
    cancelled: 'Masuk dengan kunci sandi tidak berhasil. Coba lagi, atau masukkan kode.',
  },
})

type Given = {
  methods: readonly string[]
  /** The label of the button that submits the second-factor code. */
  act: string
  onCode: (code: string) => Promise<unknown>
  /**
   * Called when the user chooses to use a passkey. Asks the browser for the passkey and sends the result to the
   * service.
   */
  onPasskey: () => Promise<unknown>
  onDone: () => void
}

/** Asks for the second factor: a code, or a passkey if the user has one. */
export function SecondStep({ methods, act, onCode, onPasskey, onDone }: Given) {
  const t = useWords(text)
  const inWords = useFaultWords()
  const proving = useMutation({
    mutationFn: (code: string | undefined) => (code === undefined ? onPasskey() : onCode(code)),
    gcTime: 0,
    onSuccess: onDone,
  })
  const error = proving.error
  // The browser reports a NotAllowedError if the user cancels the dialog or if the passkey does not exist.
  const isCancelled = error?.name === 'NotAllowedError'

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    proving.mutate(String(new FormData(event.currentTarget).get('code')))
  }

  return (
    <form onSubmit={submit}>
      <Stack>
        <Text size="sm">{methods.includes('totp') ? t.app : t.recovery}</Text>
        {error && (
          <Alert color="red" icon={<IconAlertCircle />} role="alert">
            {isCancelled ? t.cancelled : inWords(error)}
          </Alert>
        )}
        {methods.includes('passkey') && (
          <Button
            variant="default"
            leftSection={<IconFingerprint size={18} />}
            loading={proving.isPending && proving.variables === undefined}
            onClick={() => proving.mutate(undefined)}
          >
            {t.passkey}
          </Button>
        )}
        <TextInput
          name="code"
          label={t.code}
          autoComplete="one-time-code"
          autoCapitalize="none"
          spellCheck={false}
          required
          autoFocus
          data-autofocus
        />
        <Button type="submit" loading={proving.isPending && proving.variables !== undefined}>
          {act}
        </Button>
      </Stack>
    </form>
  )
}
