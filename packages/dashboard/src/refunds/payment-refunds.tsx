import { Group, Stack, Text } from '@mantine/core'
import { useFormat } from '../format/format.ts'
import { useWords, words } from '../language/language.tsx'
import { Moment } from '../parts/moment.tsx'
import { Panel } from '../parts/panel.tsx'
import { useFailureWords } from '../payments/use-failure.ts'
import { RefundStatusTag } from './refund-status-tag.tsx'
import { type Refund, refundMethodWords, refundOriginWords } from './refund-words.ts'

const text = words({ en: { title: 'Refunds' }, id: { title: 'Pengembalian dana' } })

/** Lists a payment's refunds and chargebacks, oldest first. */
export function PaymentRefunds({ refunds }: { refunds: readonly Refund[] }) {
  const t = useWords(text)
  return (
    <Panel title={t.title}>
      <Stack gap="sm" pt="xs">
        {refunds.map(refund => (
          <OneRefund key={refund.id} refund={refund} />
        ))}
      </Stack>
    </Panel>
  )
}

function OneRefund({ refund }: { refund: Refund }) {
  const format = useFormat()
  const methods = useWords(refundMethodWords)
  const origins = useWords(refundOriginWords)
  const inWords = useFailureWords()
  const how = refund.origin === 'merchant' ? methods[refund.method] : origins[refund.origin]
  return (
    <Group justify="space-between" align="flex-start" wrap="nowrap">
      <div>
        <Text size="sm">{how}</Text>
        {[refund.reason, refund.failure_reason && inWords(refund.failure_reason)]
          .filter(Boolean)
          .map(line => (
            <Text key={line} size="xs" c="dimmed">
              {line}
            </Text>
          ))}
        <Text size="xs" c="dimmed">
          <Moment at={refund.created_at} />
        </Text>
      </div>
      <Stack gap={4} align="flex-end">
        <Text size="sm" fw={600} className="figures" style={{ whiteSpace: 'nowrap' }}>
          {format.money(refund.amount)}
        </Text>
        <RefundStatusTag refund={refund} />
      </Stack>
    </Group>
  )
}
