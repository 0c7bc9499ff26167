import { SimpleGrid, Skeleton, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { trpc } from '../api/trpc.ts'
import { useFormat } from '../format/format.ts'
import { useWords, words } from '../language/language.tsx'
import { figuresOf, netOf, type Row, successRate } from '../overview/figures.ts'
import { Figure } from '../parts/figure.tsx'
import { Panel } from '../parts/panel.tsx'
import { Empty, Failure } from '../parts/states.tsx'
import { StatusTag } from '../payments/status-tag.tsx'
import { useMode } from '../shell/mode.ts'
import { type Column, DataTable } from '../table/data-table.tsx'
import { OnPhone } from '../table/on-phone.tsx'
import type { Tenant } from './tenant-words.ts'

const text = words({
  en: {
    period: { live: 'Live payments in the last 30 days', test: 'Test payments in the last 30 days' },
    payments: 'Payments',
    paid: 'Paid amount',
    net: 'Net amount',
    success: 'Success rate',
    unknown: 'No completed payments yet',
    status: 'Status',
    amount: 'Amount',
    none: { live: 'No live payments in the last 30 days', test: 'No test payments in the last 30 days' },
    how: 'The tenant’s server creates payments with an API key for this mode.',
  },
  id: {
    period: { live: 'Pembayaran live 30 hari terakhir', test: 'Pembayaran uji coba 30 hari terakhir' },
    payments: 'Pembayaran',
    paid: 'Jumlah dibayar',
    net: 'Jumlah bersih',
    success: 'Tingkat keberhasilan',
    unknown: 'Belum ada pembayaran yang selesai',
    status: 'Status',
    amount: 'Jumlah',
    none: {
      live: 'Tidak ada pembayaran live dalam 30 hari terakhir',
      test: 'Tidak ada pembayaran uji coba dalam 30 hari terakhir',
    },
    how: 'Server tenant membuat pembayaran dengan kunci API mode ini.',
  },
})

export function TenantFigures({ tenant }: { tenant: Tenant }) {
  const t = useWords(text)
  const format = useFormat()
  const [mode] = useMode()
  const columns = useColumns()
  const { data, error, refetch } = useQuery(
    trpc.reports.payments.queryOptions({ group_by: 'status,tenant', mode }),
  )
  if (error && !data) return <Failure error={error} retry={() => void refetch()} />
  const rows = data?.items
    .filter(row => row.tenant === tenant.id)
    .toSorted((one, other) => other.count - one.count)
  const figures = rows && figuresOf(rows)
  if (figures?.count === 0)
    return (
      <Panel>
        <Empty title={t.none[mode]}>{t.how}</Empty>
      </Panel>
    )
  const success = figures && successRate(figures)
  return (
    <Stack>
      <SimpleGrid cols={{ base: 1, sm: 3 }}>
        <Told name={t.payments} value={figures && format.count(figures.count)} />
        <Told name={t.net} value={figures && format.money(netOf(figures))} />
        <Told
          name={t.success}
          value={figures && (success === undefined ? t.unknown : format.percent(success))}
        />
      </SimpleGrid>
      <Panel title={t.period[mode]} isFlush>
        <DataTable
          label={t.period[mode]}
          columns={columns}
          rows={rows}
          rowKey={({ status }) => String(status)}
          empty={null}
        />
      </Panel>
    </Stack>
  )
}

const Told = ({ name, value }: { name: string; value: string | undefined }) => (
  <Panel>
    <Text size="sm" c="dimmed">
      {name}
    </Text>
    {value === undefined ? <Skeleton height={24} mt={6} /> : <Figure>{value}</Figure>}
  </Panel>
)

function useColumns(): Column<Row>[] {
  const t = useWords(text)
  const format = useFormat()
  return [
    { id: 'status', header: t.status, cell: ({ status }) => status && <StatusTag status={status} /> },
    {
      id: 'count',
      header: t.payments,
      align: 'end',
      hidden: 'phone',
      cell: ({ count }) => format.count(count),
    },
    {
      id: 'amount',
      header: t.amount,
      align: 'end',
      cell: ({ amount, count }) => (
        <>
          {format.money(amount)}
          <OnPhone>
            {t.payments}: {format.count(count)}
          </OnPhone>
        </>
      ),
    },
    {
      id: 'paid',
      header: t.paid,
      align: 'end',
      hidden: 'phone',
      cell: ({ amount_paid }) => format.money(amount_paid),
    },
  ]
}
