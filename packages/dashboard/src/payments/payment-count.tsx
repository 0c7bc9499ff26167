import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type Inputs, trpc } from '../api/trpc.ts'
import { useFormat } from '../format/format.ts'
import { useWords, words } from '../language/language.tsx'

const text = words({
  en: { count: (count: number, written: string) => (count === 1 ? '1 payment' : `${written} payments`) },
  id: { count: (_: number, written: string) => `${written} pembayaran` },
})

const LIFETIME_MS = 10_000

type Given = { filters: Inputs['payments']['list']; tenantId?: string }

/**
 * The number of payments that match the filters: exact up to 10,000, and `10,000+` if there are more. Pass `tenantId` to
 * count the payments of this merchant instead of the user's own.
 */
export function PaymentCount({ filters, tenantId }: Given) {
  const t = useWords(text)
  const format = useFormat()
  const counted = { ...filters, limit: 1, count: 'true' as const }
  const isOwn = tenantId === undefined
  const own = useQuery(trpc.payments.list.queryOptions(counted, { staleTime: LIFETIME_MS, enabled: isOwn }))
  const ofTenant = useQuery(
    trpc.support.payments.queryOptions(
      { ...counted, tenant_id: tenantId ?? '' },
      { staleTime: LIFETIME_MS, enabled: !isOwn },
    ),
  )
  const { data } = isOwn ? own : ofTenant
  return (
    <Text size="sm" c="dimmed" role="status" mih="1.4em">
      {data?.total &&
        t.count(data.total.count, `${format.count(data.total.count)}${data.total.is_exact ? '' : '+'}`)}
    </Text>
  )
}
