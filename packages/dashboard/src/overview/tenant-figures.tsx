import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type Inputs, trpc } from '../api/trpc.ts'
import { useFormat } from '../format/format.ts'
import { useWords, words } from '../language/language.tsx'
import { TextLink } from '../parts/links.tsx'
import { Panel } from '../parts/panel.tsx'
import { Empty } from '../parts/states.tsx'
import { DataTable } from '../table/data-table.tsx'
import { type Figures, figuresBy, netOf, successRate } from './figures.ts'

const text = words({
  en: {
    title: 'By client',
    client: 'Client',
    volume: 'Net amount',
    count: 'Payments',
    success: 'Success rate',
    none: 'No payments in this period',
    how: 'A client appears here when it has payments in this mode and period.',
  },
  id: {
    title: 'Per klien',
    client: 'Klien',
    volume: 'Jumlah bersih',
    count: 'Pembayaran',
    success: 'Tingkat keberhasilan',
    none: 'Tidak ada pembayaran pada periode ini',
    how: 'Klien muncul di sini jika memiliki pembayaran pada mode dan periode ini.',
  },
})

type Line = { id: string; name: string; figures: Figures }

export default function TenantFigures({ period }: { period: Inputs['reports']['payments'] }) {
  const t = useWords(text)
  const format = useFormat()
  const navigate = useNavigate()
  const { data, error, refetch } = useQuery(
    trpc.reports.payments.queryOptions({ ...period, group_by: 'tenant,status' }),
  )
  const lines =
    data &&
    figuresBy(data.items, 'tenant').map(
      ({ key, rows, figures }): Line => ({ id: key, name: rows[0]?.tenant_name ?? key, figures }),
    )
  return (
    <Panel title={t.title} isFlush>
      <DataTable
        label={t.title}
        rows={lines}
        rowKey={({ id }) => id}
        onOpen={({ id }) => void navigate({ to: '/tenants/$tenantId', params: { tenantId: id } })}
        error={data ? undefined : (error ?? undefined)}
        retry={() => void refetch()}
        empty={<Empty title={t.none}>{t.how}</Empty>}
        columns={[
          {
            id: 'client',
            header: t.client,
            share: 2.2,
            cell: ({ id, name }) => (
              <TextLink to="/tenants/$tenantId" params={{ tenantId: id }} size="sm">
                {name}
              </TextLink>
            ),
          },
          {
            id: 'count',
            header: t.count,
            align: 'end',
            hidden: 'phone',
            cell: ({ figures }) => format.count(figures.count),
          },
          {
            id: 'success',
            header: t.success,
            share: 1.2,
            align: 'end',
            hidden: 'phone',
            cell: ({ figures }) => {
              const rate = successRate(figures)
              return rate === undefined ? '–' : format.percent(rate)
            },
          },
          {
            id: 'volume',
            header: t.volume,
            share: 1.5,
            align: 'end',
            cell: ({ figures }) => format.money(netOf(figures)),
          },
        ]}
      />
    </Panel>
  )
}
