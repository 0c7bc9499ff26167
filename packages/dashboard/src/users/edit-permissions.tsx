import type { Permission } from '@gapura/server/permission'
import { updateUserInput } from '@gapura/server/user-input'
import { Stack, Text } from '@mantine/core'
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
import { PermissionsInput } from './permissions-input.tsx'
import type { User } from './user-words.ts'

const text = words({
  en: {
    title: 'Change permissions',
    what: (email: string) =>
      `The new permissions for ${email} take effect immediately, including in open sessions.`,
    save: 'Save permissions',
    saved: 'Permissions changed',
  },
  id: {
    title: 'Ubah izin',
    what: (email: string) => `Izin baru ${email} langsung berlaku, juga untuk sesi yang sedang terbuka.`,
    save: 'Simpan izin',
    saved: 'Izin diubah',
  },
})

type Given = { tenantId: string; user: User; close: () => void }

export default function EditPermissions({ tenantId, user, close }: Given) {
  const t = useWords(text)
  const queries = useQueryClient()
  const isOwn = useAccount().id === tenantId
  const form = useSettingsForm<{ permissions: Permission[] }>({
    stored: { permissions: user.permissions },
    validate: useChecks(updateUserInput),
  })
  const saving = useAct({
    form,
    done: t.saved,
    async mutationFn(edits: typeof form.edits) {
      const stored = await findListed(user.id, cursor => {
        const page = { limit: PAGE_SIZE, cursor }
        return isOwn
          ? client.users.listOwn.query(page)
          : client.users.list.query({ tenant_id: tenantId, ...page })
      })
      if (stored) form.appliedTo({ permissions: stored.permissions })
      return client.users.update.mutate({ tenant_id: tenantId, user_id: user.id, ...edits })
    },
    onSuccess() {
      void queries.invalidateQueries({ queryKey: trpc.users.pathKey() })
      // If users change their own permissions, the account is reloaded so that the navigation shows the pages the
      // new permissions allow.
      void queries.invalidateQueries({ queryKey: trpc.tenants.account.pathKey() })
      close()
    },
  })
  return (
    <Dialog onClose={close} title={t.title}>
      <form onSubmit={form.onSubmit(() => saving.mutate(form.edits))} noValidate>
        <Stack>
          <Text size="sm">{t.what(user.email)}</Text>
          <PermissionsInput {...form.getInputProps('permissions')} />
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
