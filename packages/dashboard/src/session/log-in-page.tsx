import { Alert, Anchor, Button, PasswordInput, Stack, TextInput } from '@mantine/core'
import { IconAlertCircle, IconInfoCircle } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useRouter, useSearch } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { challengeIn, type LoginChallenge } from '../api/fault.ts'
import { publicClient } from '../api/public-client.ts'
import { queryClient } from '../api/query-client.ts'
import { useWords, words } from '../language/language.tsx'
import { TextLink } from '../parts/links.tsx'
import { useFaultWords } from '../parts/use-fault-words.ts'
import { Outside } from './outside.tsx'
import { SecondStep } from './second-step.tsx'
import { finishLogIn, logIn } from './session.ts'

const text = words({
  en: {
    title: 'Log in to Gapura',
    email: 'Email address',
    password: 'Password',
    logIn: 'Log in',
    forgot: 'Forgot your password?',
    second: 'Second factor',
    back: 'Back to login',
    ended: 'Your session has ended. Log in again to continue.',
  },
  id: {
    title: 'Masuk ke Gapura',
    email: 'Alamat email',
    password: 'Kata sandi',
    logIn: 'Masuk',
    forgot: 'Lupa kata sandi?',
    second: 'Faktor kedua',
    back: 'Kembali ke halaman masuk',
    ended: 'Sesi Anda telah berakhir. Masuk lagi untuk melanjutkan.',
  },
})

export function LogInPage() {
  const t = useWords(text)
  const { next, why } = useSearch({ from: '/login' })
  const router = useRouter()
  const [challenge, setChallenge] = useState<LoginChallenge>()
  async function enter() {
    queryClient.clear()
    // Only a path on this site is accepted. Otherwise, a link to this page could redirect the user to any other
    // site after login.
    await router.navigate({ href: next?.startsWith('/') && !next.startsWith('//') ? next : '/' })
  }
  const logging = useMutation({
    mutationFn: ({ email, password }: { email: string; password: string }) => logIn(email, password),
    onSuccess: enter,
    onError: error => setChallenge(challengeIn(error)),
  })
  const inWords = useFaultWords()

  function startAgain() {
    setChallenge(undefined)
    // The result of the login is cleared. Otherwise, the login form would show the service's request for a second
    // factor as an error message.
    logging.reset()
  }

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    logging.mutate({ email: String(form.get('email')), password: String(form.get('password')) })
  }

  if (challenge)
    return (
      <Outside
        title={t.second}
        below={
          <Anchor component="button" size="sm" onClick={startAgain}>
            {t.back}
          </Anchor>
        }
      >
        <SecondStep
          methods={challenge.methods}
          act={t.logIn}
          onCode={code =>
            finishLogIn(publicClient.session.complete.mutate({ challenge: challenge.challenge, code }))
          }
          // The passkey code is loaded only when a user needs it, because most logins use no passkey.
          onPasskey={async () => (await import('./passkeys.ts')).logInWithPasskey(challenge.challenge)}
          onDone={() => void enter()}
        />
      </Outside>
    )
  return (
    <Outside
      title={t.title}
      below={
        <TextLink to="/reset-password" size="sm">
          {t.forgot}
        </TextLink>
      }
    >
      <form onSubmit={submit}>
        <Stack>
          {why === 'ended' && !logging.error && (
            <Alert icon={<IconInfoCircle />} role="status">
              {t.ended}
            </Alert>
          )}
          {logging.error && (
            <Alert color="red" icon={<IconAlertCircle />} role="alert">
              {inWords(logging.error)}
            </Alert>
          )}
          <TextInput name="email" type="email" label={t.email} autoComplete="username" required autoFocus />
          <PasswordInput name="password" label={t.password} autoComplete="current-password" required />
          <Button type="submit" loading={logging.isPending}>
            {t.logIn}
          </Button>
        </Stack>
      </form>
    </Outside>
  )
}
