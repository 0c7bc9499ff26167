import { updateProviderAccountInput } from '@gapura/server/provider-account-input'
import { Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQueryClient } from '@tanstack/react-query'
import { client, trpc } from '../api/trpc.ts'
import { useWords, words } from '../language/language.tsx'
import { ActRow } from '../parts/act-row.tsx'
import { RupiahInput } from '../parts/rupiah-input.tsx'
import { useAct } from '../parts/use-act.ts'
import { useChecks } from '../parts/use-checks.ts'
import type { Account } from './account-list.tsx'
import { HostInput } from './host-input.tsx'
import type { Provider } from './providers.ts'
import { SourcesInput } from './sources-input.tsx'

const text = words({
  en: {
    name: 'Name',
    save: 'Save',
    saved: 'Saved',
    inquire: 'Confirm payments above',
    inquireHint:
      'This provider signs its callbacks with a constant token only. A callback that reports a larger payment is confirmed by a status inquiry before it is credited. Leave it empty to credit every amount. It has no effect where source addresses are listed.',
  },
  id: {
    name: 'Nama',
    save: 'Simpan',
    saved: 'Tersimpan',
    inquire: 'Konfirmasi pembayaran di atas',
    inquireHint:
      'Penyedia ini hanya membuktikan callback-nya dengan token tetap. Callback yang melaporkan pembayaran lebih besar dikonfirmasi melalui permintaan status sebelum dikreditkan. Kosongkan untuk mengkreditkan semua jumlah. Tidak berlaku jika alamat sumber diisi.',
  },
})

type Given = { provider: Provider; account: Account; back: () => void }

export function ChangeAccountForm({ provider, account, back }: Given) {
  const t = useWords(text)
  const queries = useQueryClient()
  const form = useForm({
    initialValues: {
      name: account.name,
      base_url: account.base_url,
      callback_sources: account.callback_sources,
      inquire_above: account.inquire_above,
    },
    validate: useChecks(updateProviderAccountInput),
  })
  const save = useAct({
    mutationFn: (changes: typeof form.values) =>
      client.providers.update.mutate({
        ...{ provider_code: account.provider_code, account_id: account.id },
        ...changes,
      }),
    form,
    done: t.saved,
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: trpc.providers.pathKey() })
      back()
    },
  })
  return (
    <form onSubmit={form.onSubmit(changes => save.mutate(changes))} noValidate>
      <Stack>
        <TextInput label={t.name} required data-autofocus {...form.getInputProps('name')} />
        <HostInput {...form.getInputProps('base_url')} />
        <SourcesInput
          value={form.values.callback_sources}
          onChange={sources => form.setFieldValue('callback_sources', sources)}
          error={Object.entries(form.errors).find(([field]) => field.startsWith('callback_sources'))?.[1]}
        />
        {provider.callback_proof === 'static_token' && (
          <RupiahInput
            label={t.inquire}
            description={t.inquireHint}
            {...form.getInputProps('inquire_above')}
          />
        )}
        <ActRow
          back={back}
          act={t.save}
          isActing={save.isPending}
          refusal={save.refusal}
          isDisabled={!form.isDirty()}
        />
      </Stack>
    </form>
  )
}
