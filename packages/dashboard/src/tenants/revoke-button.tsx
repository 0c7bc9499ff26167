import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQueryClient } from '@tanstack/react-query'
import { client, type Outputs, trpc } from '../api/trpc.ts'
import { useWords, words } from '../language/language.tsx'
import { Confirm } from '../parts/confirm.tsx'
import { useAct } from '../parts/use-act.ts'

const text = words({
  en: {
    revoke: 'Revoke',
    label: (name: string) => `Revoke ${name}`,
    title: (name: string) => `Revoke “${name}”?`,
    effect:
      'Within a second every request with this key is refused, for good. Payments that were created with it go on. The key stays in the list.',
    done: 'The key is revoked',
  },
  id: {
    revoke: 'Cabut',
    label: (name: string) => `Cabut ${name}`,
    title: (name: string) => `Cabut “${name}”?`,
    effect:
      'Dalam satu detik setiap permintaan dengan kunci ini ditolak untuk seterusnya. Pembayaran yang dibuat dengannya tetap berjalan. Kunci tetap tercantum dalam daftar.',
    done: 'Kunci telah dicabut',
  },
})

type Given = { tenantId: string; apiKey: Pick<Outputs['keys']['revoke'], 'id' | 'name'> }

export function RevokeButton({ tenantId, apiKey: { id, name } }: Given) {
  const t = useWords(text)
  const queries = useQueryClient()
  const [isAsking, { open, close }] = useDisclosure()
  const revoke = useAct({
    mutationFn: () => client.keys.revoke.mutate({ tenant_id: tenantId, key_id: id }),
    done: t.done,
    onSuccess: () => {
      close()
      return queries.invalidateQueries({ queryKey: trpc.keys.pathKey() })
    },
  })
  return (
    <>
      <Button size="compact-sm" variant="default" aria-label={t.label(name)} onClick={open}>
        {t.revoke}
      </Button>
      <Confirm
        isOpen={isAsking}
        close={close}
        title={t.title(name)}
        act={t.revoke}
        isActing={revoke.isPending}
        onAct={() => revoke.mutate(undefined)}
        isGrave
      >
        {t.effect}
      </Confirm>
    </>
  )
}
