import { useQuery } from '@tanstack/react-query'
import { OTHERS_EVERY_MS } from '../api/query-client.ts'
import { type Outputs, trpc } from '../api/trpc.ts'
import { CallbackTag } from '../callbacks/callback-tag.tsx'
import { useOutcome } from '../callbacks/use-outcome.ts'
import { useWords, words } from '../language/language.tsx'
import { Moment } from '../parts/moment.tsx'
import { Panel } from '../parts/panel.tsx'
import { Empty } from '../parts/states.tsx'
import { useProviderName } from '../payments/provider-name.ts'
import { type Column, DataTable } from '../table/data-table.tsx'
import { TwoLines } from '../table/two-lines.tsx'

type PaymentCallback = Outputs['support']['callbacks'][number]

const text = words({
  en: {
    title: 'Provider callbacks',
    received: 'Received',
    status: 'Status',
    result: 'Result',
    none: 'No callbacks yet',
    how: 'The provider sends a callback when the payment changes.',
  },
  id: {
    title: 'Callback penyedia',
    received: 'Diterima',
    status: 'Status',
    result: 'Hasil',
    none: 'Belum ada callback',
    how: 'Penyedia mengirim callback saat pembayaran berubah.',
  },
})

export function TenantPaymentCallbacks({ of: path }: { of: { tenant_id: string; payment_id: string } }) {
  const t = useWords(text)
  const { data, error, refetch } = useQuery(
    trpc.support.callbacks.queryOptions(path, { refetchInterval: OTHERS_EVERY_MS }),
  )
  return (
    <Panel title={t.title} isFlush>
      <DataTable
        label={t.title}
        columns={useColumns()}
        rows={data}
        rowKey={({ id }) => id}
        {...(error && !data && { error, retry: () => void refetch() })}
        empty={<Empty title={t.none}>{t.how}</Empty>}
      />
    </Panel>
  )
}

function useColumns(): Column<PaymentCallback>[] {
  const t = useWords(text)
  const providerName = useProviderName()
  const outcomeIn = useOutcome()
  return [
    {
      id: 'received',
      header: t.received,
      share: 1.6,
      isWhole: true,
      cell: ({ received_at, provider }) => (
        <TwoLines top={<Moment at={received_at} />} below={providerName(provider)} />
      ),
    },
    { id: 'status', header: t.status, share: 1, cell: ({ status }) => <CallbackTag status={status} /> },
    {
      id: 'result',
      header: t.result,
      share: 2,
      hidden: 'phone',
      cell: ({ status, reason }) => <span title={reason ?? undefined}>{outcomeIn(status, reason)}</span>,
    },
  ]
}
