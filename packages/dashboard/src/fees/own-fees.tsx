import { Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { trpc } from '../api/trpc.ts'
import { useFormat } from '../format/format.ts'
import { useWords, words } from '../language/language.tsx'
import { Panel } from '../parts/panel.tsx'
import { Empty, Failure, Pending } from '../parts/states.tsx'
import { useAccount } from '../session/account.ts'
import { FeePreview } from './fee-preview.tsx'
import { FeeRules } from './fee-rules.tsx'

const text = words({
  en: {
    none: 'No fees',
    how: 'Your payments have no fees.',
    inForce: 'Fees in force',
    since: (at: string) => `Since ${at}`,
    from: (at: string) => `From ${at}`,
    charged: 'The fee of a payment is debited from your balance when the payment is credited.',
  },
  id: {
    none: 'Tidak ada biaya',
    how: 'Pembayaran Anda tidak dikenai biaya.',
    inForce: 'Biaya yang berlaku',
    since: (at: string) => `Sejak ${at}`,
    from: (at: string) => `Mulai ${at}`,
    charged: 'Biaya sebuah pembayaran didebit dari saldo Anda saat pembayaran itu dikreditkan.',
  },
})

export function OwnFees() {
  const t = useWords(text)
  const format = useFormat()
  const { role } = useAccount()
  const { data, error, refetch } = useQuery(trpc.fees.own.queryOptions())
  if (error && !data) return <Failure error={error} retry={() => void refetch()} />
  if (!data) return <Pending />
  if (data.effective_from === null && data.upcoming.length === 0)
    return (
      <Panel>
        <Empty title={t.none}>{t.how}</Empty>
      </Panel>
    )
  return (
    <Stack>
      {data.effective_from !== null && (
        <Panel title={t.inForce}>
          <Text size="sm" c="dimmed">
            {t.since(format.time(data.effective_from))}. {role === 'client' && t.charged}
          </Text>
          <FeeRules rules={data.rules} />
        </Panel>
      )}
      {data.upcoming.map(version => (
        <Panel key={version.effective_from} title={t.from(format.time(version.effective_from))}>
          <FeeRules rules={version.rules} />
        </Panel>
      ))}
      <FeePreview />
    </Stack>
  )
}
