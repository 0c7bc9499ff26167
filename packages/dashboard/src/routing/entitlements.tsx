import { Button, Group, Stack, Text } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { client, trpc } from '../api/trpc.ts'
import { useWords, words } from '../language/language.tsx'
import { Failure, Pending } from '../parts/states.tsx'
import { Unsaved } from '../parts/unsaved.tsx'
import { useAct } from '../parts/use-act.ts'
import { useAccount, useIsPermitted } from '../session/account.ts'
import type { Mode } from '../shell/mode.ts'
import type { Tenant } from '../tenants/tenant-words.ts'
import { AccountOrder } from './account-order.tsx'
import { accountOf, type KnownAccount, useKnownAccounts } from './known-accounts.ts'

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

type Order = Record<Mode, string[]>
const modes: Mode[] = ['live', 'test']

/**
 * Returns the order of provider accounts for each mode. Live and test mode have separate orders, because an account
 * is never a fallback for an account in the other mode.
 */
const orderOf = (accounts: readonly KnownAccount[]): Order => ({
  live: accounts.filter(({ mode }) => mode === 'live').map(({ id }) => id),
  test: accounts.filter(({ mode }) => mode === 'test').map(({ id }) => id),
})

export function Entitlements({ tenant }: { tenant: Tenant }) {
  const t = useWords(text)
  const queries = useQueryClient()
  const isOwn = useAccount().id === tenant.id
  const isAdmin = useIsPermitted('admin')
  const { data, error, refetch } = useQuery(trpc.routes.entitlements.queryOptions({ tenant_id: tenant.id }))
  const grantable = useKnownAccounts()
  const [draft, setDraft] = useState<Order>()
  const save = useAct({
    mutationFn: (order: Order) =>
      client.routes.setEntitlements.mutate({
        tenant_id: tenant.id,
        items: modes.flatMap(mode =>
          order[mode].map((id, index) => ({ provider_account_id: id, priority: index + 1 })),
        ),
      }),
    done: t.saved,
    onSuccess: kept => {
      queries.setQueryData(trpc.routes.entitlements.queryKey({ tenant_id: tenant.id }), kept)
      setDraft(undefined)
      return queries.invalidateQueries({ queryKey: trpc.routes.pathKey() })
    },
  })
  if (error && !data) return <Failure error={error} retry={() => void refetch()} />
  if (!data) return <Pending />
  const saved = data.items.map(accountOf)
  const known = new Map([...grantable, ...saved].map(account => [account.id, account]))
  const order = draft ?? orderOf(saved)
  const isChanged = JSON.stringify(order) !== JSON.stringify(orderOf(saved))
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
          onChange={ids => setDraft({ ...order, [mode]: ids })}
        />
      ))}
      <Unsaved isDirty={isChanged} />
      {isChanged && (
        <Group justify="flex-end" role="status">
          <Text size="sm" c="dimmed">
            {t.changed}. {t.rules}
          </Text>
          <Button variant="default" onClick={() => setDraft(undefined)}>
            {t.undo}
          </Button>
          <Button loading={save.isPending} onClick={() => save.mutate(order)}>
            {t.save}
          </Button>
        </Group>
      )}
    </Stack>
  )
}
