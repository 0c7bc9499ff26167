import { useQueryClient } from '@tanstack/react-query'
import { client, trpc } from '../api/trpc.ts'
import { useWords, words } from '../language/language.tsx'
import { Confirm } from '../parts/confirm.tsx'
import { useAct } from '../parts/use-act.ts'
import type { Key } from './key-state.ts'
import { WhichKey } from './which-key.tsx'

const text = words({
  en: {
    title: (name: string) => `Revoke ${name}?`,
    stops: (prefix: string) =>
      `Requests with the key ${prefix}… are rejected within one second. A server that still uses this key can no longer create payments. Existing payments are not affected and can still be paid.`,
    forGood: 'You cannot undo this. To replace a key without downtime, rotate the key instead.',
    revoke: 'Revoke key',
    done: 'API key revoked',
  },
  id: {
    title: (name: string) => `Cabut ${name}?`,
    stops: (prefix: string) =>
      `Permintaan dengan kunci ${prefix}… ditolak dalam satu detik. Server yang masih memakai kunci ini tidak dapat lagi membuat pembayaran. Pembayaran yang sudah dibuat tidak terpengaruh dan tetap dapat dibayar.`,
    forGood:
      'Tindakan ini tidak dapat dibatalkan. Untuk mengganti kunci tanpa gangguan layanan, gunakan Ganti.',
    revoke: 'Cabut kunci',
    done: 'Kunci API telah dicabut',
  },
})

export function RevokeKey({ tenantId, of: key, close }: { tenantId: string; of: Key; close: () => void }) {
  const t = useWords(text)
  const queries = useQueryClient()
  const revoking = useAct({
    done: t.done,
    mutationFn: () => client.keys.revoke.mutate({ tenant_id: tenantId, key_id: key.id }),
    onSuccess() {
      void queries.invalidateQueries({ queryKey: trpc.keys.pathKey() })
      close()
    },
  })
  return (
    <Confirm
      isOpen
      isGrave
      close={close}
      title={t.title(key.name)}
      act={t.revoke}
      isActing={revoking.isPending}
      onAct={() => revoking.mutate()}
    >
      <WhichKey of={key} />
      <p>{t.stops(key.display_prefix)}</p>
      <p>{t.forGood}</p>
    </Confirm>
  )
}
