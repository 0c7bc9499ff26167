import { updateProviderAccountInput } from '@gapura/server/provider-account-input'
import { Stack, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { client, trpc } from '../api/trpc.ts'
import { useWords, words } from '../language/language.tsx'
import { ActRow } from '../parts/act-row.tsx'
import { ConflictNotice } from '../parts/conflict-notice.tsx'
import { useAct } from '../parts/use-act.ts'
import { useChecks } from '../parts/use-checks.ts'
import { useSettingsForm } from '../parts/use-settings-form.ts'
import { PAGE_SIZE } from '../table/endless.ts'
import { findListed } from '../table/find-listed.ts'
import type { Account } from './account.ts'
import { HostInput } from './host-input.tsx'
import { InquireInput } from './inquire-input.tsx'
import type { Provider } from './providers.ts'
import { SourcesInput } from './sources-input.tsx'

const text = words({
  en: {
    name: 'Name',
    save: 'Save',
    saved: 'Saved',
  },
  id: {
    name: 'Nama',
    save: 'Simpan',
    saved: 'Tersimpan',
  },
})

type Given = { provider: Provider; account: Account; back: () => void }

const settingsOf = ({ name, base_url, callback_sources, inquire_above }: Account) => ({
  ...{ name, base_url, callback_sources, inquire_above },
})

export function ChangeAccountForm({ provider, account, back }: Given) {
  const t = useWords(text)
  const queries = useQueryClient()
  const form = useSettingsForm({
    stored: settingsOf(account),
    validate: useChecks(updateProviderAccountInput),
  })
  const save = useAct({
    async mutationFn(edits: typeof form.edits) {
      const { id, provider_code } = account
      const stored = await findListed(id, cursor =>
        client.providers.list.query({ provider_code, limit: PAGE_SIZE, cursor }),
      )
      if (stored) form.appliedTo(settingsOf(stored))
      return client.providers.update.mutate({ provider_code, account_id: id, ...edits })
    },
    form,
    done: t.saved,
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: trpc.providers.pathKey() })
      back()
    },
  })
  return (
    <form onSubmit={form.onSubmit(() => save.mutate(form.edits))} noValidate>
      <Stack>
        <TextInput label={t.name} required data-autofocus {...form.getInputProps('name')} />
        <HostInput {...form.getInputProps('base_url')} />
        <SourcesInput
          value={form.values.callback_sources}
          onChange={sources => form.setFieldValue('callback_sources', sources)}
          errors={form.errors}
        />
        {provider.callback_proof === 'static_token' && (
          <InquireInput {...form.getInputProps('inquire_above')} />
        )}
        <ConflictNotice form={form} />
        <ActRow
          back={back}
          act={t.save}
          isActing={save.isPending}
          refusal={save.refusal}
          isDisabled={!form.canSave}
        />
      </Stack>
    </form>
  )
}
