import { Group, Skeleton, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { trpc } from '../api/trpc.ts'
import { useFormat } from '../format/format.ts'
import { useWords, words } from '../language/language.tsx'
import { type Entry, EntrySum } from '../ledger/entry-sum.tsx'
import { useMovementWords } from '../ledger/use-movement.ts'
import { TextLink } from '../parts/links.tsx'
import { Panel } from '../parts/panel.tsx'
import { Failure } from '../parts/states.tsx'

const text = words({
  en: {
    title: 'Ledger entries',
    whole: 'Open ledger',
    none: 'No entries yet. When the payment is paid, its amount is credited to your balance.',
    after: (balance: string) => `Balance ${balance}`,
  },
  id: {
    title: 'Mutasi',
    whole: 'Buka buku besar',
    none: 'Belum ada mutasi. Saat pembayaran lunas, jumlahnya dikreditkan ke saldo Anda.',
    after: (balance: string) => `Saldo ${balance}`,
  },
})

export function PaymentLedger({ paymentId }: { paymentId: string }) {
  const t = useWords(text)
  const entries = useQuery(trpc.payments.ledger.queryOptions({ payment_id: paymentId }))
  return (
    <Panel
      title={t.title}
      actions={
        <TextLink to="/ledger" size="sm">
          {t.whole}
        </TextLink>
      }
    >
      {entries.data ? (
        <Stack gap="sm" pt="xs">
          {entries.data.length === 0 && (
            <Text size="sm" c="dimmed">
              {t.none}
            </Text>
          )}
          {entries.data.map(entry => (
            <Posted key={entry.id} entry={entry} />
          ))}
        </Stack>
      ) : entries.error ? (
        <Failure error={entries.error} retry={() => void entries.refetch()} />
      ) : (
        <Skeleton height={36} mt="xs" radius="sm" />
      )}
    </Panel>
  )
}

function Posted({ entry }: { entry: Entry }) {
  const t = useWords(text)
  const format = useFormat()
  const { what, why } = useMovementWords()(entry.reason)
  return (
    <Group justify="space-between" align="flex-start" wrap="nowrap">
      <div>
        <Text size="sm">{what}</Text>
        {why && (
          <Text size="xs" c="dimmed">
            {why}
          </Text>
        )}
        <Text size="xs" c="dimmed">
          <time dateTime={entry.created_at}>{format.exactTime(entry.created_at)}</time>
        </Text>
      </div>
      <Text ta="end" size="sm" component="div" style={{ whiteSpace: 'nowrap' }}>
        <Text size="sm" fw={600} component="div">
          <EntrySum entry={entry} />
        </Text>
        <Text size="xs" c="dimmed" className="figures">
          {t.after(format.money(entry.balance_after))}
        </Text>
      </Text>
    </Group>
  )
}
