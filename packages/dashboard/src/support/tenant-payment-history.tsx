import { useQuery } from '@tanstack/react-query'
import { OTHERS_EVERY_MS } from '../api/query-client.ts'
import { trpc } from '../api/trpc.ts'
import { HistoryPanel } from '../payments/payment-history.tsx'
import type { Refund } from '../refunds/refund-words.ts'
import { PAGE_SIZE } from '../table/endless.ts'

const polled = { refetchInterval: OTHERS_EVERY_MS }

type Given = { of: { tenant_id: string; payment_id: string }; refunds: readonly Refund[] }

export function TenantPaymentHistory({ of: path, refunds }: Given) {
  const changes = useQuery(trpc.support.timeline.queryOptions(path, polled))
  const tries = useQuery(trpc.support.attempts.queryOptions(path, polled))
  const deliveries = useQuery(trpc.support.deliveries.queryOptions({ ...path, limit: PAGE_SIZE }, polled))
  return <HistoryPanel changes={changes} tries={tries} deliveries={deliveries} refunds={refunds} isOfOther />
}
