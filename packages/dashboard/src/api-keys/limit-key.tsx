import { updateApiKeyInput } from '@gapura/server/key-input'
import type { KeyScope } from '@gapura/server/key-scope'
import { Stack } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { client, type Outputs, trpc } from '../api/trpc.ts'
import { useWords, words } from '../language/language.tsx'
import { ActRow } from '../parts/act-row.tsx'
import { ConflictNotice } from '../parts/conflict-notice.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { useAct } from '../parts/use-act.ts'
import { useChecks } from '../parts/use-checks.ts'
import { useSettingsForm } from '../parts/use-settings-form.ts'
import { KeyLimitsInput } from './key-limits-input.tsx'
import { useGrantableScopes } from './use-grantable-scopes.ts'

const text = words({
  en: {
    title: (name: string) => `Limit ${name}`,
    save: 'Save',
    saved: 'Saved. The change takes effect within a second.',
  },
  id: {
    title: (name: string) => `Batasi ${name}`,
    save: 'Simpan',
    saved: 'Tersimpan. Perubahan berlaku dalam satu detik.',
  },
})

type Given = { tenantId: string; of: Outputs['keys']['listOwn']['items'][number]; close: () => void }

/** The dialog that changes an API key's scopes (allowed operations) and allowed IP addresses. */
export function LimitKey({ tenantId, of: key, close }: Given) {
  const t = useWords(text)
  const queries = useQueryClient()
  const { scopesToSend, ...grantable } = useGrantableScopes(key.scopes)
  const form = useSettingsForm<{ scopes: KeyScope[]; allowed_ips: string[] }>({
    stored: { scopes: key.scopes, allowed_ips: key.allowed_ips },
    validate: useChecks(updateApiKeyInput),
  })
  const saving = useAct({
    form,
    done: t.saved,
    mutationFn: ({ scopes, ...limits }: typeof form.edits) =>
      client.keys.update.mutate({
        ...{ tenant_id: tenantId, key_id: key.id, ...limits },
        ...(scopes && { scopes: scopesToSend(scopes) }),
      }),
    onSuccess() {
      void queries.invalidateQueries({ queryKey: trpc.keys.pathKey() })
      close()
    },
  })
  return (
    <Dialog onClose={close} title={t.title(key.name)}>
      <form onSubmit={form.onSubmit(() => saving.mutate(form.edits))} noValidate>
        <Stack>
          <KeyLimitsInput
            {...grantable}
            scopes={form.getInputProps('scopes')}
            allowedIps={form.getInputProps('allowed_ips')}
          />
          <ConflictNotice form={form} />
          <ActRow
            back={close}
            act={t.save}
            isActing={saving.isPending}
            refusal={saving.refusal}
            isDisabled={!form.canSave}
          />
        </Stack>
      </form>
    </Dialog>
  )
}
