import { Button, Group, Stack, Text } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { client, type Outputs, trpc } from '../api/trpc.ts'
import { useWords, words } from '../language/language.tsx'
import { ConflictNotice } from '../parts/conflict-notice.tsx'
import { Refusal } from '../parts/refusal.tsx'
import { Failure, Pending } from '../parts/states.tsx'
import { Unsaved } from '../parts/unsaved.tsx'
import { useAct } from '../parts/use-act.ts'
import { useSettingsForm } from '../parts/use-settings-form.ts'
import { useAccount, useIsPermitted } from '../session/account.ts'
import type { Mode } from '../shell/mode.ts'
import type { Tenant } from '../tenants/tenant-words.ts'
import { AccountOrder } from './account-order.tsx'
import { accountOf, useKnownAccounts } from './known-accounts.ts'

const text = words({
  en: {
    about:
      'If no routing rule matches, a payment goes to the first of these accounts that offers its method. The other accounts are fallbacks.',
    save: 'Save order',
    saved: 'Saved. The new account order takes effect within one second.',
    undo: 'Undo',
    changed: 'Unsaved changes',
    rules: 'Removing an account also removes its routing rules.',
  },
  id: {
    about:
      'Jika tidak ada aturan perutean yang cocok, pembayaran dikirim ke akun pertama di sini yang menyediakan metodenya. Akun lain menjadi cadangan.',
    save: 'Simpan urutan',
    saved: 'Tersimpan. Urutan akun yang baru berlaku dalam satu detik.',
    undo: 'Urungkan',
    changed: 'Ada perubahan yang belum disimpan',
    rules: 'Jika Anda menghapus akun, aturan peruteannya ikut terhapus.',
  },
})

type Entitlement = Outputs['routes']['entitlements']['items'][number]
type Order = Record<Mode, string[]>
const modes: Mode[] = ['live', 'test']

/**
 * Returns the order of provider accounts for each mode. Live and test mode have separate orders, because an account
 * is never a fallback for an account in the other mode.
 */
function orderOf(items: readonly Entitlement[]): Order {
  const idsIn = (mode: Mode) =>
    items.filter(item => item.mode === mode).map(({ provider_account_id }) => provider_account_id)
  return { live: idsIn('live'), test: idsIn('test') }
}

export function Entitlements({ tenant }: { tenant: Tenant }) {
  const { data, error, refetch } = useQuery(trpc.routes.entitlements.queryOptions({ tenant_id: tenant.id }))
  if (error && !data) return <Failure error={error} retry={() => void refetch()} />
  if (!data) return <Pending />
  return <EntitlementsForm tenant={tenant} saved={data.items} />
}

function EntitlementsForm({ tenant, saved }: { tenant: Tenant; saved: readonly Entitlement[] }) {
  const t = useWords(text)
  const queries = useQueryClient()
  const isOwn = useAccount().id === tenant.id
  const isAdmin = useIsPermitted('admin')
  const grantable = useKnownAccounts()
  const form = useSettingsForm({ stored: orderOf(saved) })
  const ofTenant = { tenant_id: tenant.id }
  const save = useAct({
    async mutationFn() {
      const stored = await queries.fetchQuery(
        trpc.routes.entitlements.queryOptions(ofTenant, { staleTime: 0 }),
      )
      const order = form.appliedTo(orderOf(stored.items))
      return client.routes.setEntitlements.mutate({
        ...ofTenant,
        items: modes.flatMap(mode =>
          order[mode].map((id, index) => ({ provider_account_id: id, priority: index + 1 })),
        ),
      })
    },
    form,
    done: t.saved,
    onSuccess: kept => {
      form.showSaved(orderOf(kept.items))
      return queries.invalidateQueries({ queryKey: trpc.routes.pathKey() })
    },
  })
  const order = form.values
  const known = new Map([...grantable, ...saved.map(accountOf)].map(account => [account.id, account]))
  return (
    <Stack>
      <Text c="dimmed" size="sm">
        {t.about}
      </Text>
      {modes.map(mode => (
        <AccountOrder
          key={mode}
          mode={mode}
          isFixed={isOwn || !isAdmin}
          accounts={order[mode].flatMap(id => known.get(id) ?? [])}
          others={grantable.filter(account => account.mode === mode && !order[mode].includes(account.id))}
          onChange={ids => form.setFieldValue(mode, ids)}
        />
      ))}
      <ConflictNotice form={form} />
      <Refusal said={save.refusal} />
      <Unsaved isDirty={form.isEdited} />
      {form.isEdited && (
        <Group justify="flex-end" role="status">
          <Text size="sm" c="dimmed">
            {t.changed}. {t.rules}
          </Text>
          <Button variant="default" onClick={form.discard}>
            {t.undo}
          </Button>
          <Button loading={save.isPending} disabled={!form.canSave} onClick={() => save.mutate()}>
            {t.save}
          </Button>
        </Group>
      )}
    </Stack>
  )
}
