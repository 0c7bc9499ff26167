import { createProviderAccountInput, DEFAULT_INQUIRE_ABOVE } from '@gapura/server/provider-account-input'
import { Radio, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQueryClient } from '@tanstack/react-query'
import { client, trpc } from '../api/trpc.ts'
import { useWords, words } from '../language/language.tsx'
import { ActRow } from '../parts/act-row.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { useAct } from '../parts/use-act.ts'
import { useChecks } from '../parts/use-checks.ts'
import { useRetryKey } from '../parts/use-retry-key.ts'
import { type Mode, useMode } from '../shell/mode.ts'
import type { Account } from './account.ts'
import { CredentialFields } from './credential-fields.tsx'
import { emptyCredentials, filled } from './credential-names.ts'
import { credentialsInput } from './credentials-input.ts'
import { HostInput } from './host-input.tsx'
import { InquireInput } from './inquire-input.tsx'
import type { Provider } from './providers.ts'
import { SourcesInput } from './sources-input.tsx'

const text = words({
  en: {
    title: (provider: string) => `New account at ${provider}`,
    mode: 'Mode',
    test: 'Test: the provider’s sandbox',
    live: 'Live: real money',
    name: 'Name',
    nameHint: 'A name that helps you recognize the account, such as the company named in the contract',
    create: 'Create',
    created: 'Account created. Now register its callback address with the provider.',
  },
  id: {
    title: (provider: string) => `Akun baru di ${provider}`,
    mode: 'Mode',
    test: 'Uji coba: sandbox penyedia',
    live: 'Live: uang sungguhan',
    name: 'Nama',
    nameHint: 'Nama agar akun ini mudah dikenali, misalnya nama perusahaan dalam kontrak',
    create: 'Buat',
    created: 'Akun telah dibuat. Sekarang daftarkan alamat callback-nya di penyedia.',
  },
})

type Given = { provider: Provider; close: () => void; onCreated: (account: Account) => void }

export function NewAccount({ provider, close, onCreated }: Given) {
  const t = useWords(text)
  const queries = useQueryClient()
  const retryKey = useRetryKey()
  const [shellMode] = useMode()
  const form = useForm({
    initialValues: {
      mode: shellMode as Mode,
      name: '',
      base_url: null as string | null,
      callback_sources: [] as string[],
      inquire_above: DEFAULT_INQUIRE_ABOVE as number | null,
      credentials: emptyCredentials(Object.keys(provider.credentials.properties)),
    },
    validate: useChecks(createProviderAccountInput.extend({ credentials: credentialsInput(provider) })),
    transformValues: values => ({ ...values, credentials: filled(values.credentials) }),
  })
  const create = useAct({
    mutationFn: (wanted: ReturnType<typeof form.getTransformedValues>) =>
      client.providers.create.mutate({ provider_code: provider.code, ...wanted }, retryKey(wanted)),
    form,
    // The mutation's cache time is zero, so that the credentials are not kept in memory.
    gcTime: 0,
    done: t.created,
    onSuccess: async account => {
      await queries.invalidateQueries({ queryKey: trpc.providers.pathKey() })
      onCreated(account)
    },
  })
  return (
    <Dialog onClose={close} title={t.title(provider.name)} size="lg">
      <form onSubmit={form.onSubmit(values => create.mutate(values))} autoComplete="off" noValidate>
        <Stack>
          <TextInput
            label={t.name}
            required
            description={t.nameHint}
            data-autofocus
            {...form.getInputProps('name')}
          />
          <Radio.Group label={t.mode} {...form.getInputProps('mode')}>
            <Stack gap="xs" mt="xs">
              <Radio value="test" label={t.test} />
              <Radio value="live" label={t.live} />
            </Stack>
          </Radio.Group>
          <CredentialFields
            provider={provider}
            inputProps={name => form.getInputProps(`credentials.${name}`)}
          />
          <HostInput {...form.getInputProps('base_url')} />
          <SourcesInput
            value={form.values.callback_sources}
            onChange={sources => form.setFieldValue('callback_sources', sources)}
            errors={form.errors}
          />
          {provider.callback_proof === 'static_token' && (
            <InquireInput {...form.getInputProps('inquire_above')} />
          )}
          <ActRow back={close} act={t.create} isActing={create.isPending} refusal={create.refusal} />
        </Stack>
      </form>
    </Dialog>
  )
}
