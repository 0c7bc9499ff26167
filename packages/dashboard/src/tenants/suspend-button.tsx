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
      'Within a second its API keys and log-ins are refused, so it can create no payments and see nothing.',
    goesOn:
      'Payments that it has can still be paid: money that arrives is credited to its balance, and webhooks go out. Nothing is deleted, and you can reactivate it at any time.',
    suspended: 'Suspended',
    reactivate: 'Reactivate',
    reactivateTitle: (name: string) => `Reactivate ${name}?`,
    returns: 'Its API keys and log-ins work again within a second, as they did before.',
    reactivated: 'Active again',
  },
  id: {
    suspend: 'Tangguhkan',
    suspendTitle: (name: string) => `Tangguhkan ${name}?`,
    stops:
      'Dalam satu detik kunci API dan login-nya ditolak, sehingga tidak dapat membuat pembayaran maupun melihat data.',
    goesOn:
      'Pembayaran yang sudah ada tetap dapat dibayar: dana yang masuk dikreditkan ke saldonya dan webhook tetap dikirim. Tidak ada yang dihapus, dan Anda dapat mengaktifkannya kembali kapan saja.',
    suspended: 'Ditangguhkan',
    reactivate: 'Aktifkan kembali',
    reactivateTitle: (name: string) => `Aktifkan kembali ${name}?`,
    returns: 'Kunci API dan login-nya berfungsi kembali dalam satu detik, seperti sebelumnya.',
    reactivated: 'Aktif kembali',
  },
})

export function SuspendButton({ tenant }: { tenant: Tenant }) {
  const t = useWords(text)
  const queries = useQueryClient()
  const [isAsking, { open, close }] = useDisclosure()
  const isActive = tenant.status === 'active'
  // The dialog keeps the action it was opened for, even if another user changes the tenant in the meantime.
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
