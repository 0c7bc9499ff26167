import { tiers } from '@gapura/server/tenant'
import { updateTenantInput } from '@gapura/server/tenant-input'
import { Button, Group, Select, Stack, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { client, trpc } from '../api/trpc.ts'
import { useWords, words } from '../language/language.tsx'
import { ConflictNotice } from '../parts/conflict-notice.tsx'
import { Copied } from '../parts/copied.tsx'
import { Facts } from '../parts/facts.tsx'
import { Moment } from '../parts/moment.tsx'
import { Panel } from '../parts/panel.tsx'
import { Refusal } from '../parts/refusal.tsx'
import { Unsaved } from '../parts/unsaved.tsx'
import { useAct } from '../parts/use-act.ts'
import { useChecks } from '../parts/use-checks.ts'
import { useSettingsForm } from '../parts/use-settings-form.ts'
import { useAccount, useIsPermitted } from '../session/account.ts'
import { SuspendButton } from './suspend-button.tsx'
import { TenantLink } from './tenant-link.tsx'
import { TenantStatusTag } from './tenant-status-tag.tsx'
import { roleWords, type Tenant, tierWords } from './tenant-words.ts'

const text = words({
  en: {
    facts: 'Details',
    id: 'ID',
    role: 'Role',
    tier: 'Tier',
    status: 'Status',
    parent: 'Partner',
    created: 'Created',
    updated: 'Last changed',
    change: 'Name and tier',
    rename: 'Name',
    name: 'Name',
    save: 'Save',
    saved: 'Saved',
  },
  id: {
    facts: 'Rincian',
    id: 'ID',
    role: 'Peran',
    tier: 'Paket',
    status: 'Status',
    parent: 'Mitra',
    created: 'Dibuat',
    updated: 'Terakhir diubah',
    change: 'Nama dan paket',
    rename: 'Nama',
    name: 'Nama',
    save: 'Simpan',
    saved: 'Tersimpan',
  },
})

export function TenantDetails({ tenant }: { tenant: Tenant }) {
  const t = useWords(text)
  const roles = useWords(roleWords)
  const tiers = useWords(tierWords)
  const { id: ownId, role } = useAccount()
  const isAdmin = useIsPermitted('admin')
  // Only the Owner can reactivate a tenant that the Owner suspended.
  const maySuspend = isAdmin && tenant.id !== ownId && (role === 'owner' || !tenant.suspended_by_owner)
  return (
    <Stack>
      <Panel title={t.facts} actions={maySuspend && <SuspendButton tenant={tenant} />}>
        <Facts
          items={[
            [t.status, <TenantStatusTag key="status" status={tenant.status} />],
            [t.role, roles[tenant.role]],
            [t.tier, tiers[tenant.tier]],
            [
              t.parent,
              role === 'owner' && tenant.parent_id ? <TenantLink key="parent" id={tenant.parent_id} /> : null,
            ],
            [t.id, <Copied key="id" value={tenant.id} what={t.id} />],
            [t.created, <Moment key="created" at={tenant.created_at} />],
            [t.updated, <Moment key="updated" at={tenant.updated_at} />],
          ]}
        />
      </Panel>
      {isAdmin && <ChangeForm tenant={tenant} />}
    </Stack>
  )
}

function ChangeForm({ tenant }: { tenant: Tenant }) {
  const t = useWords(text)
  const tierNames = useWords(tierWords)
  const isOwner = useAccount().role === 'owner'
  const queries = useQueryClient()
  const form = useSettingsForm({
    stored: { name: tenant.name, tier: tenant.tier },
    validate: useChecks(updateTenantInput),
  })
  const save = useAct({
    mutationFn: (edits: typeof form.edits) =>
      client.tenants.update.mutate({ tenant_id: tenant.id, ...edits }),
    form,
    done: t.saved,
    onSuccess: ({ name, tier }) => {
      form.showSaved({ name, tier })
      return queries.invalidateQueries({ queryKey: trpc.tenants.pathKey() })
    },
  })
  return (
    <Panel title={isOwner ? t.change : t.rename}>
      <Unsaved isDirty={form.isEdited} />
      <form onSubmit={form.onSubmit(() => save.mutate(form.edits))} noValidate>
        <Group align="flex-end">
          <TextInput label={t.name} required flex="1 1 16rem" {...form.getInputProps('name')} />
          {/* Only the Owner (the service's operator) may change a tenant's tier. */}
          {isOwner && (
            <Select
              label={t.tier}
              allowDeselect={false}
              data={tiers.map(value => ({ value, label: tierNames[value] }))}
              {...form.getInputProps('tier')}
            />
          )}
          <Button type="submit" loading={save.isPending} disabled={!form.canSave}>
            {t.save}
          </Button>
        </Group>
        <ConflictNotice form={form} />
        <Refusal said={save.refusal} />
      </form>
    </Panel>
  )
}
