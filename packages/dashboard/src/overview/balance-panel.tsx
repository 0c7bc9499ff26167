import { Skeleton, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { trpc } from '../api/trpc.ts'
import { useFormat } from '../format/format.ts'
import { useWords, words } from '../language/language.tsx'
import { Figure } from '../parts/figure.tsx'
import { TextLink } from '../parts/links.tsx'
import { Panel } from '../parts/panel.tsx'
import { Failure } from '../parts/states.tsx'
import type { Mode } from '../shell/mode.ts'

const text = words({
  en: {
    title: { live: 'Live balance', test: 'Test balance' },
    ledger: 'Ledger',
    held: (sum: string) => `${sum} of it is held for refunds and chargebacks`,
  },
  id: {
    title: { live: 'Saldo live', test: 'Saldo uji' },
    ledger: 'Buku besar',
    held: (sum: string) => `${sum} di antaranya ditahan untuk pengembalian dana dan chargeback`,
  },
})

export function BalancePanel({ mode }: { mode: Mode }) {
  const t = useWords(text)
  const format = useFormat()
  const { data, error, refetch } = useQuery(trpc.account.balance.queryOptions({ mode }))
  return (
    <Panel
      title={t.title[mode]}
      actions={
        <TextLink to="/ledger" size="sm">
          {t.ledger}
        </TextLink>
      }
    >
      {data ? (
        <>
          <Figure>{format.money(data.balance)}</Figure>
          {data.held > 0 && (
            <Text size="sm" c="dimmed">
              {t.held(format.money(data.held))}
            </Text>
          )}
        </>
      ) : error ? (
        <Failure error={error} retry={() => void refetch()} />
      ) : (
        <Skeleton height={30} mt="xs" radius="sm" />
      )}
    </Panel>
  )
}
