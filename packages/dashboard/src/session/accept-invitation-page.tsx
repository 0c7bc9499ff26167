import { acceptInvitationInput } from '@gapura/server/user-input'
import { Alert, Button, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { IconCheck } from '@tabler/icons-react'
import { publicClient } from '../api/public-client.ts'
import { useWords, words } from '../language/language.tsx'
import { ButtonLink } from '../parts/links.tsx'
import { Refusal } from '../parts/refusal.tsx'
import { useAct } from '../parts/use-act.ts'
import { NewPassword, useNewPasswordChecks } from './new-password.tsx'
import { Outside } from './outside.tsx'

const text = words({
  en: {
    title: 'Accept your invitation',
    what: 'Choose a password. Then log in with your email address.',
    token: 'Token from the invitation',
    set: 'Set password',
    done: 'Password set',
    doneMore: 'You can now log in with your email address and this password.',
    logIn: 'Log in',
  },
  id: {
    title: 'Terima undangan Anda',
    what: 'Buat kata sandi, lalu masuk dengan alamat email Anda.',
    token: 'Token dari undangan',
    set: 'Simpan kata sandi',
    done: 'Kata sandi tersimpan',
    doneMore: 'Sekarang Anda dapat masuk dengan alamat email dan kata sandi ini.',
    logIn: 'Masuk',
  },
})

/**
 * The page opened by an invitation link. The token is in the link's fragment, which browsers do not send, so no
 * server logs the token.
 */
export function AcceptInvitationPage() {
  const t = useWords(text)
  const token = window.location.hash.slice(1)
  const form = useForm({
    initialValues: { token, new_password: '', again: '' },
    validate: useNewPasswordChecks(acceptInvitationInput),
  })
  const accepting = useAct({
    form,
    gcTime: 0,
    mutationFn: ({ token, new_password }: typeof form.values) =>
      publicClient.auth.acceptInvitation.mutate({ token: token.trim(), new_password }),
    onSuccess: form.reset,
  })
  return (
    <Outside title={t.title}>
      {accepting.isSuccess ? (
        <>
          <Alert color="teal" icon={<IconCheck />} title={t.done} role="status">
            {t.doneMore}
          </Alert>
          <ButtonLink to="/login" autoFocus>
            {t.logIn}
          </ButtonLink>
        </>
      ) : (
        <form onSubmit={form.onSubmit(given => accepting.mutate(given))} noValidate>
          <Stack>
            <Text size="sm">{t.what}</Text>
            {/* The token field is shown only if the invitation link contained no token, or if the service rejected the token. */}
            {(token === '' || form.errors.token) && (
              <TextInput
                {...form.getInputProps('token')}
                label={t.token}
                placeholder="gp_invite_…"
                autoComplete="off"
                spellCheck={false}
                required
              />
            )}
            <NewPassword inputProps={name => form.getInputProps(name)} />
            <Refusal said={accepting.refusal} />
            <Button type="submit" loading={accepting.isPending}>
              {t.set}
            </Button>
          </Stack>
        </form>
      )}
    </Outside>
  )
}
