import { Select, Stack, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { client, trpc } from '../api/trpc.ts'
import { useWords, words } from '../language/language.tsx'
import { ActRow } from '../parts/act-row.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { useAct } from '../parts/use-act.ts'
import { useRetryKey } from '../parts/use-retry-key.ts'
import type { Key } from './key-state.ts'
import type { MadeKey } from './shown-key.tsx'
import { WhichKey } from './which-key.tsx'

const text = words({
  en: {
    title: (name: string) => `Rotate ${name}`,
    what: 'Creates a new key with the same name and mode. The old key keeps working for the time you choose, so that you can update your server without downtime. After that, the old key is rejected. Each key can be rotated once.',
    grace: 'How long the old key keeps working',
    none: 'No time: the old key stops immediately',
    rotate: 'Create new key',
  },
  id: {
    title: (name: string) => `Ganti ${name}`,
    what: 'Membuat kunci baru dengan nama dan mode yang sama. Kunci lama tetap berlaku selama waktu yang Anda pilih, agar server dapat diperbarui tanpa gangguan. Setelah itu, kunci lama ditolak. Setiap kunci hanya dapat diganti satu kali.',
    grace: 'Kunci lama tetap berlaku selama',
    none: 'Langsung tidak berlaku',
    rotate: 'Buat kunci baru',
  },
})

/**
 * The grace periods, in minutes, that the dialog for rotating an API key offers. The API accepts any value up
 * to a day.
 */
const graces = words({
  en: { '10': '10 minutes', '60': '1 hour', '360': '6 hours', '1440': '24 hours' },
  id: { '10': '10 menit', '60': '1 jam', '360': '6 jam', '1440': '24 jam' },
})

type Given = { tenantId: string; old: Key; close: () => void; whenMade: (made: MadeKey) => void }

export function RotateKey({ tenantId, old, close, whenMade }: Given) {
  const t = useWords(text)
  const names = useWords(graces)
  const queries = useQueryClient()
  const retryKey = useRetryKey()
  const [minutes, setMinutes] = useState('60')
  const rotating = useAct({
    // The response contains the secret API key. The key is shown only on this page, and the query cache does not store
    // it.
    gcTime: 0,
    mutationFn: () => {
      const input = { tenant_id: tenantId, key_id: old.id, grace_minutes: Number(minutes) }
      return client.keys.rotate.mutate(input, retryKey(input))
    },
    onSuccess(key) {
      void queries.invalidateQueries({ queryKey: trpc.keys.pathKey() })
      whenMade({ key, replaced: { graceMinutes: Number(minutes) } })
    },
  })
  return (
    <Dialog onClose={close} title={t.title(old.name)}>
      <Stack>
        <WhichKey of={old} />
        <Text size="sm">{t.what}</Text>
        <Select
          label={t.grace}
          value={minutes}
          onChange={chosen => setMinutes(chosen ?? '60')}
          allowDeselect={false}
          data={[
            { value: '0', label: t.none },
            ...Object.entries(names).map(([value, label]) => ({ value, label })),
          ]}
        />
        <ActRow back={close} act={t.rotate} isActing={rotating.isPending} onAct={() => rotating.mutate()} />
      </Stack>
    </Dialog>
  )
}
