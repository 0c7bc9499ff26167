import { Button, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { client, trpc } from '../api/trpc.ts'
import { useWords, words } from '../language/language.tsx'
import { Confirm } from '../parts/confirm.tsx'
import { useAct } from '../parts/use-act.ts'
import type { Tenant } from './tenant-words.ts'

const text = words({
  en: {
    suspend: 'Suspend',
    suspendTitle: (name: string) => `Suspend ${name}?`,
    stops:
      'Within one second, the tenant’s API keys and logins are rejected. The tenant can no longer create payments or see its data.',
    goesOn:
      'Customers can still pay existing payments. Their money is credited to the tenant’s balance, and webhooks are sent. Nothing is deleted, and you can reactivate the tenant at any time.',
    suspended: 'Tenant suspended',
    reactivate: 'Reactivate',
    reactivateTitle: (name: string) => `Reactivate ${name}?`,
    returns: 'The tenant’s API keys and logins work again within one second.',
    reactivated: 'Tenant reactivated',
  },
  id: {
    suspend: 'Tangguhkan',
    suspendTitle: (name: string) => `Tangguhkan ${name}?`,
    stops:
      'Dalam satu detik, kunci API dan login tenant ini ditolak. Tenant tidak dapat lagi membuat pembayaran atau melihat datanya.',
    goesOn:
      'Pembayaran yang sudah ada tetap dapat dibayar: dana yang diterima dikreditkan ke saldo, dan webhook tetap dikirim. Tidak ada yang dihapus, dan tenant dapat diaktifkan kembali kapan saja.',
    suspended: 'Tenant telah ditangguhkan',
    reactivate: 'Aktifkan kembali',
    reactivateTitle: (name: string) => `Aktifkan kembali ${name}?`,
    returns: 'Kunci API dan login tenant ini berfungsi kembali dalam satu detik.',
    reactivated: 'Tenant telah diaktifkan kembali',
  },
})

export function SuspendButton({ tenant }: { tenant: Tenant }) {
  const t = useWords(text)
  const queries = useQueryClient()
  const [isAsking, { open, close }] = useDisclosure()
  const isActive = tenant.status === 'active'
  // The action is fixed when the dialog opens, because another user may change the tenant's status in the meantime.
  const [wasActive, setWasActive] = useState(isActive)
  const change = useAct({
    mutationFn: () =>
      client.tenants.update.mutate({ tenant_id: tenant.id, status: wasActive ? 'suspended' : 'active' }),
    done: wasActive ? t.suspended : t.reactivated,
    onSuccess: () => {
      close()
      return queries.invalidateQueries({ queryKey: trpc.tenants.pathKey() })
    },
  })
  function ask() {
    setWasActive(isActive)
    open()
  }
  return (
    <>
      <Button variant="default" size="xs" onClick={ask}>
        {isActive ? t.suspend : t.reactivate}
      </Button>
      <Confirm
        isOpen={isAsking}
        close={close}
        title={wasActive ? t.suspendTitle(tenant.name) : t.reactivateTitle(tenant.name)}
        act={wasActive ? t.suspend : t.reactivate}
        isActing={change.isPending}
        onAct={() => change.mutate(undefined)}
        isGrave={wasActive}
      >
        {wasActive ? (
          <Stack gap="xs">
            <Text size="sm">{t.stops}</Text>
            <Text size="sm">{t.goesOn}</Text>
          </Stack>
        ) : (
          t.returns
        )}
      </Confirm>
    </>
  )
}
