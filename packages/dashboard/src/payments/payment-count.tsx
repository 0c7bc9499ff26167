import { useQuery } from '@tanstack/react-query'
import { type Inputs, trpc } from '../api/trpc.ts'
import { useWords, words } from '../language/language.tsx'
import { counted, countOptions, ListCount } from '../table/list-count.tsx'

const text = words({
  en: { count: (count: number, written: string) => (count === 1 ? '1 payment' : `${written} payments`) },
  id: { count: (_: number, written: string) => `${written} pembayaran` },
})

type Given = { filters: Inputs['payments']['list']; tenantId?: string }

/**
 * The number of payments that match the filters: exact up to 10,000, and `10,000+` above. Without `tenantId`, the
 * component counts the payments of the user's own tenant. With `tenantId`, it counts that merchant's payments.
 */
export function PaymentCount({ filters, tenantId }: Given) {
  const t = useWords(text)
  const query = { ...filters, ...counted }
  const isOwn = tenantId === undefined
  const own = useQuery(trpc.payments.list.queryOptions(query, { ...countOptions, enabled: isOwn }))
  const ofTenant = useQuery(
    trpc.support.payments.queryOptions(
      { ...query, tenant_id: tenantId ?? '' },
      { ...countOptions, enabled: !isOwn },
    ),
  )
  const { data } = isOwn ? own : ofTenant
  return <ListCount total={data?.total} inWords={t.count} />
}
