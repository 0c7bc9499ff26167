import { Stack, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQueryClient } from '@tanstack/react-query'
import { z } from 'zod'
import { client, trpc } from '../api/trpc.ts'
import { useWords, words } from '../language/language.tsx'
import { ActRow } from '../parts/act-row.tsx'
import { useAct } from '../parts/use-act.ts'
import { useChecks } from '../parts/use-checks.ts'
import type { Account } from './account-list.tsx'
import { CredentialFields } from './credential-fields.tsx'
import { emptyCredentials, filled } from './credential-names.ts'
import { credentialsInput } from './credentials-input.ts'
import type { Provider } from './providers.ts'

const text = words({
  en: {
    about:
      'These replace all credentials that the account has. From then on payments are created with them, and callbacks that the provider signs with the old ones are rejected.',
    replace: 'Replace',
    replaced: 'The credentials are replaced',
  },
  id: {
    about:
      'Kredensial ini menggantikan semua kredensial akun. Sejak saat itu pembayaran dibuat dengannya, dan callback yang ditandatangani penyedia dengan kredensial lama ditolak.',
    replace: 'Ganti',
    replaced: 'Kredensial telah diganti',
  },
})

type Given = { provider: Provider; account: Account; back: () => void }

export function CredentialsForm({ provider, account, back }: Given) {
  const t = useWords(text)
  const queries = useQueryClient()
  const form = useForm({
    initialValues: { credentials: emptyCredentials(Object.keys(provider.credentials.properties)) },
    validate: useChecks(z.object({ credentials: credentialsInput(provider) })),
  })
  const replace = useAct({
    mutationFn: (credentials: Record<string, string>) =>
      client.providers.update.mutate({
        ...{ provider_code: provider.code, account_id: account.id },
        credentials,
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
    <form
      onSubmit={form.onSubmit(({ credentials }) => replace.mutate(filled(credentials)))}
      autoComplete="off"
      noValidate
    >
      <Stack>
        <Text size="sm">{t.about}</Text>
        <CredentialFields
          provider={provider}
          inputProps={name => form.getInputProps(`credentials.${name}`)}
        />
        <ActRow back={back} act={t.replace} isActing={replace.isPending} refusal={replace.refusal} isGrave />
      </Stack>
    </form>
  )
}
