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
      `Within a second every call with ${prefix}… is refused: whatever server still uses it creates no payment any more. Payments that it created stay, and can be paid.`,
    forGood: 'It cannot be undone. To replace a key without a gap, rotate it instead.',
    revoke: 'Revoke the key',
    done: 'The key is revoked',
  },
  id: {
    title: (name: string) => `Cabut ${name}?`,
    stops: (prefix: string) =>
      `Dalam satu detik setiap panggilan dengan ${prefix}… ditolak: server yang masih memakainya tidak dapat lagi membuat pembayaran. Pembayaran yang sudah dibuat tetap ada dan tetap dapat dibayar.`,
    forGood: 'Tindakan ini tidak dapat dibatalkan. Untuk mengganti kunci tanpa jeda, gunakan Ganti.',
    revoke: 'Cabut kunci',
    done: 'Kunci telah dicabut',
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
