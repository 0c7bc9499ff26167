import { Anchor, Skeleton, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { faultOf } from '../api/fault.ts'
import { trpc } from '../api/trpc.ts'
import { useFormat } from '../format/format.ts'
import { useWords, words } from '../language/language.tsx'
import { Copied } from '../parts/copied.tsx'
import { Panel } from '../parts/panel.tsx'
import { Failure } from '../parts/states.tsx'
import type { Mode } from '../shell/mode.ts'

const text = words({
  en: {
    title: 'Seal',
    hash: 'the seal',
    covers: (entries: string) =>
      `Covers the first ${entries} entries. Keep it: whoever changes, removes or inserts one of them, we included, cannot make this seal again.`,
    none: 'No seal covers an entry of this ledger yet. One is made some ten minutes after the first entry is posted; it then proves that nobody has changed what it covers.',
    how: 'How to check it',
  },
  id: {
    title: 'Segel',
    hash: 'segel',
    covers: (entries: string) =>
      `Mencakup ${entries} entri pertama. Simpanlah: siapa pun yang mengubah, menghapus, atau menyisipkan entri di dalamnya, termasuk kami, tidak dapat membuat segel ini lagi.`,
    none: 'Belum ada segel yang mencakup entri buku besar ini. Segel dibuat sekitar sepuluh menit setelah entri pertama dicatat; segel membuktikan bahwa isinya tidak diubah siapa pun.',
    how: 'Cara memeriksanya',
  },
})

/** The service seals on a schedule and sends no live change for it, so this is polled. */
const ASK_EVERY_MS = 60_000

export function SealPanel({ mode }: { mode: Mode }) {
  const t = useWords(text)
  const format = useFormat()
  const { data, error, refetch } = useQuery(
    trpc.account.seal.queryOptions({ mode }, { refetchInterval: ASK_EVERY_MS }),
  )
  const isUnsealed = error && faultOf(error).code === 'NOT_FOUND'
  return (
    <Panel
      title={t.title}
      actions={
        <Anchor href="/docs/verifying-the-ledger" size="sm">
          {t.how}
        </Anchor>
      }
    >
      <Stack gap="xs" pt="xs">
        {data ? (
          <>
            <Copied value={data.hash} what={t.hash} />
            <Text size="sm">{t.covers(format.count(data.entries))}</Text>
          </>
        ) : isUnsealed ? (
          <Text size="sm">{t.none}</Text>
        ) : error ? (
          <Failure error={error} retry={() => void refetch()} />
        ) : (
          <Skeleton height={48} radius="sm" />
        )}
      </Stack>
    </Panel>
  )
}
