import { previousCredentialsHours } from '@gapura/server/provider-account-input'
import { NumberInput, Stack, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQueryClient } from '@tanstack/react-query'
import { z } from 'zod'
import { client, trpc } from '../api/trpc.ts'
import { useWords, words } from '../language/language.tsx'
import { ActRow } from '../parts/act-row.tsx'
import { useAct } from '../parts/use-act.ts'
import { useChecks } from '../parts/use-checks.ts'
import type { Account } from './account.ts'
import { CredentialFields } from './credential-fields.tsx'
import { emptyCredentials, filled } from './credential-names.ts'
import { credentialsInput } from './credentials-input.ts'
import type { Provider } from './providers.ts'

const text = words({
  en: {
    about:
      'These replace all credentials that the account has. From then on payments are created with them. The old ones verify callbacks for the hours below, since the provider may go on signing with them.',
    hours: 'Hours that the old credentials verify callbacks',
    hoursHint: '0 to 720. 0 ends all previous credentials at once, for example after a leak.',
    replace: 'Replace',
    replaced: 'The credentials are replaced',
  },
  id: {
    about:
      'Kredensial ini menggantikan semua kredensial akun. Sejak saat itu pembayaran dibuat dengannya. Kredensial lama masih memverifikasi callback selama jam di bawah, karena penyedia mungkin masih menandatangani dengannya.',
    hours: 'Jam kredensial lama memverifikasi callback',
    hoursHint: '0 sampai 720. 0 mengakhiri semua kredensial lama seketika, misalnya setelah kebocoran.',
    replace: 'Ganti',
    replaced: 'Kredensial telah diganti',
  },
})

type Given = { provider: Provider; account: Account; back: () => void }

export function CredentialsForm({ provider, account, back }: Given) {
  const t = useWords(text)
  const queries = useQueryClient()
  const form = useForm({
    initialValues: {
      credentials: emptyCredentials(Object.keys(provider.credentials.properties)),
      previous_credentials_hours: 24 as number | string,
    },
    validate: useChecks(
      z.object({
        credentials: credentialsInput(provider),
        previous_credentials_hours: previousCredentialsHours,
      }),
    ),
  })
  const replace = useAct({
    mutationFn: ({ credentials, previous_credentials_hours }: typeof form.values) =>
      client.providers.update.mutate({
        ...{ provider_code: provider.code, account_id: account.id },
        credentials: filled(credentials),
        previous_credentials_hours: Number(previous_credentials_hours),
      }),
    form,
    gcTime: 0,
    done: t.replaced,
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: trpc.providers.pathKey() })
      back()
    },
  })
  return (
    <form onSubmit={form.onSubmit(values => replace.mutate(values))} autoComplete="off" noValidate>
      <Stack>
        <Text size="sm">{t.about}</Text>
        <CredentialFields
          provider={provider}
          inputProps={name => form.getInputProps(`credentials.${name}`)}
        />
        <NumberInput
          label={t.hours}
          description={t.hoursHint}
          allowDecimal={false}
          allowNegative={false}
          {...form.getInputProps('previous_credentials_hours')}
        />
        <ActRow back={back} act={t.replace} isActing={replace.isPending} refusal={replace.refusal} isGrave />
      </Stack>
    </form>
  )
}
