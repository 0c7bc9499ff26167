import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { client, trpc } from '../api/trpc.ts'
import { useWords, words } from '../language/language.tsx'
import { Confirm } from '../parts/confirm.tsx'
import { useAct } from '../parts/use-act.ts'
import type { Account } from './account.ts'

const text = words({
  en: {
    disable: 'Disable',
    enable: 'Enable',
    disableTitle: (name: string) => `Disable ${name}?`,
    enableTitle: (name: string) => `Enable ${name}?`,
    stops:
      'The account stops receiving new payments within one second. New payments go to the next account of each tenant, or are rejected if the tenant has no other account. Existing payments can still be paid, and callbacks are still accepted.',
    returns:
      'Within one second after you enable the account, it receives new payments from the tenants that have access to it.',
    disabled: 'Account disabled',
    enabled: 'Account enabled',
  },
  id: {
    disable: 'Nonaktifkan',
    enable: 'Aktifkan',
    disableTitle: (name: string) => `Nonaktifkan ${name}?`,
    enableTitle: (name: string) => `Aktifkan ${name}?`,
    stops:
      'Dalam satu detik, akun ini tidak lagi menerima pembayaran baru. Pembayaran dialihkan ke akun berikutnya milik setiap tenant, atau ditolak jika tenant tidak memiliki akun lain. Pembayaran yang sudah ada tetap dapat dibayar, dan callback tetap diterima.',
    returns: 'Dalam satu detik, akun ini mulai menerima pembayaran baru dari tenant yang memiliki akses.',
    disabled: 'Akun telah dinonaktifkan',
    enabled: 'Akun telah diaktifkan',
  },
})

export function EnableButton({ account }: { account: Account }) {
  const t = useWords(text)
  const queries = useQueryClient()
  const [isAsking, { open, close }] = useDisclosure()
  const { id, provider_code, name, enabled } = account
  // The dialog keeps the action for which it was opened, even if another user changes the provider account in the
  // meantime.
  const [wasEnabled, setWasEnabled] = useState(enabled)
  const change = useAct({
    mutationFn: () => client.providers.update.mutate({ provider_code, account_id: id, enabled: !wasEnabled }),
    done: wasEnabled ? t.disabled : t.enabled,
    onSuccess: () => {
      close()
      return queries.invalidateQueries({ queryKey: trpc.providers.pathKey() })
    },
  })
  function ask() {
    setWasEnabled(enabled)
    open()
  }
  return (
    <>
      <Button variant="default" onClick={ask}>
        {enabled ? t.disable : t.enable}
      </Button>
      <Confirm
        isOpen={isAsking}
        close={close}
        title={wasEnabled ? t.disableTitle(name) : t.enableTitle(name)}
        act={wasEnabled ? t.disable : t.enable}
        isActing={change.isPending}
        onAct={() => change.mutate(undefined)}
        isGrave={wasEnabled}
      >
        {wasEnabled ? t.stops : t.returns}
      </Confirm>
    </>
  )
}
