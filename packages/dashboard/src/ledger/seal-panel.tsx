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
    title: 'Ledger seal',
    hash: 'the ledger seal',
    covers: (entries: string) =>
      `This seal covers the first ${entries} entries. Store a copy. If anyone, including us, changes, removes or inserts one of these entries, the seal no longer matches.`,
    none: 'No ledger seal yet. Gapura creates it about ten minutes after the first entry. The seal proves that no sealed entry has been changed.',
    how: 'How to verify the seal',
  },
  id: {
    title: 'Segel buku besar',
    hash: 'segel buku besar',
    covers: (entries: string) =>
      `Segel ini mencakup ${entries} mutasi pertama. Simpan salinannya. Jika ada yang mengubah, menghapus, atau menyisipkan mutasi di dalamnya, termasuk kami, segel tidak lagi cocok.`,
    none: 'Belum ada segel buku besar. Gapura membuatnya sekitar sepuluh menit setelah mutasi pertama. Segel membuktikan bahwa mutasi di dalamnya tidak diubah.',
    how: 'Cara memverifikasi segel',
  },
})

/**
 * How often the page fetches the ledger's seal (a hash of the ledger's entries). The page polls the seal, because new
 * seals are not reported by live updates.
 */
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
