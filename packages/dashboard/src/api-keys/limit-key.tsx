import { updateApiKeyInput } from '@gapura/server/key-input'
import type { KeyScope } from '@gapura/server/key-scope'
import { Stack } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { client, trpc } from '../api/trpc.ts'
import { useWords, words } from '../language/language.tsx'
import { ActRow } from '../parts/act-row.tsx'
import { ConflictNotice } from '../parts/conflict-notice.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { useAct } from '../parts/use-act.ts'
import { useChecks } from '../parts/use-checks.ts'
import { useSettingsForm } from '../parts/use-settings-form.ts'
import { useAccount } from '../session/account.ts'
import { PAGE_SIZE } from '../table/endless.ts'
import { findListed } from '../table/find-listed.ts'
import { KeyLimitsInput } from './key-limits-input.tsx'
import type { Key } from './key-state.ts'
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

type Given = { tenantId: string; of: Key; close: () => void }
type Limits = { scopes: KeyScope[]; allowed_ips: string[] }

const limitsOf = ({ scopes, allowed_ips }: Key): Limits => ({ scopes, allowed_ips })

/** The dialog that changes an API key's scopes (allowed operations) and allowed IP addresses. */
export function LimitKey({ tenantId, of: key, close }: Given) {
  const t = useWords(text)
  const queries = useQueryClient()
  const isOwn = useAccount().id === tenantId
  const form = useSettingsForm<Limits>({ stored: limitsOf(key), validate: useChecks(updateApiKeyInput) })
  const { scopesToSend, ...grantable } = useGrantableScopes(form.getInitialValues().scopes)
  const saving = useAct({
    form,
    done: t.saved,
    async mutationFn({ scopes, ...limits }: typeof form.edits) {
      const stored = await findListed(key.id, cursor => {
        const page = { limit: PAGE_SIZE, cursor }
        return isOwn
          ? client.keys.listOwn.query(page)
          : client.keys.list.query({ tenant_id: tenantId, ...page })
      })
      if (stored) form.appliedTo(limitsOf(stored))
      return client.keys.update.mutate({
        ...{ tenant_id: tenantId, key_id: key.id, ...limits },
        ...(scopes && { scopes: scopesToSend(scopes) }),
      })
    },
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
