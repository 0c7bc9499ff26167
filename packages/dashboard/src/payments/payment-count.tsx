import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type Inputs, trpc } from '../api/trpc.ts'
import { useFormat } from '../format/format.ts'
import { useWords, words } from '../language/language.tsx'

const text = words({
  en: { count: (count: string) => `${count} payments` },
  id: { count: (count: string) => `${count} pembayaran` },
})

const LIFETIME_MS = 10_000

/** The number of payments that match the filters: exact up to 10,000, and `10,000+` if there are more. */
export function PaymentCount({ filters }: { filters: Inputs['payments']['list'] }) {
  const t = useWords(text)
  const format = useFormat()
  const { data } = useQuery(
    trpc.payments.list.queryOptions({ ...filters, limit: 1, count: 'true' }, { staleTime: LIFETIME_MS }),
  )
  return (
    <Text size="sm" c="dimmed" role="status" mih="1.4em">
      {data?.total && t.count(`${format.count(data.total.count)}${data.total.is_exact ? '' : '+'}`)}
    </Text>
  )
}
