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
      'These credentials replace all of the account’s credentials. New payments use them immediately. The old credentials still verify callbacks for the number of hours below, because the provider may continue to sign with them.',
    hours: 'Hours to accept the old credentials',
    hoursHint: '0 to 720 hours. Enter 0 to reject all old credentials immediately, for example after a leak.',
    replace: 'Replace credentials',
    replaced: 'Credentials replaced',
  },
  id: {
    about:
      'Kredensial ini menggantikan semua kredensial akun. Pembayaran baru langsung memakainya. Kredensial lama masih memverifikasi callback selama jumlah jam di bawah, karena penyedia mungkin masih memakainya untuk tanda tangan.',
    hours: 'Jam penerimaan kredensial lama',
    hoursHint:
      '0 sampai 720. Isi 0 untuk langsung menolak semua kredensial lama, misalnya setelah kebocoran.',
    replace: 'Ganti kredensial',
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
