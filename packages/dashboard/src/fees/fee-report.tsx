import { Group, Select, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { type Outputs, trpc } from '../api/trpc.ts'
import { isDay } from '../format/day.ts'
import { dayIn, useFormat } from '../format/format.ts'
import { useWords, words } from '../language/language.tsx'
import { DayFilters } from '../parts/day-filters.tsx'
import { ExportButtons } from '../parts/export-buttons.tsx'
import { Panel } from '../parts/panel.tsx'
import { Empty } from '../parts/states.tsx'
import { useNameOfChannel } from '../payments/name-of-channel.ts'
import { useMode } from '../shell/mode.ts'
import { type Column, DataTable } from '../table/data-table.tsx'
import { knownFilters } from '../table/known-filters.ts'
import { reportFile } from './file-names.ts'

const text = words({
  en: {
    by: 'Group by',
    groups: { day: 'Day', tenant: 'Tenant', channel: 'Channel' },
    label: 'Fees',
    count: 'Payments',
    net: 'Before tax',
    tax: 'PPN',
    fee: 'Fees',
    operator: 'Operator',
    partner: 'Partner',
    total: 'Total',
    none: 'No fees in this period',
    how: 'Fees appear here when payments with fees are credited. Without dates, the report covers the last 30 days.',
  },
  id: {
    by: 'Kelompokkan menurut',
    groups: { day: 'Hari', tenant: 'Tenant', channel: 'Kanal' },
    label: 'Biaya',
    count: 'Pembayaran',
    net: 'DPP',
    tax: 'PPN',
    fee: 'Biaya',
    operator: 'Operator',
    partner: 'Mitra',
    total: 'Total',
    none: 'Tidak ada biaya pada periode ini',
    how: 'Biaya muncul di sini saat pembayaran yang dikenai biaya dikreditkan. Tanpa tanggal, laporan mencakup 30 hari terakhir.',
  },
})

const groups = ['day', 'tenant', 'channel'] as const
type Grouping = (typeof groups)[number]
type Row = Outputs['feeReports']['report']['items'][number]

const known = { from: isDay, to: isDay, by: groups }

/** Shows the fees charged in a period, grouped by day, tenant or channel. */
export function FeeReport() {
  const t = useWords(text)
  const search = knownFilters(useSearch({ from: '/inside/fees' }), known)
  const navigate = useNavigate({ from: '/fees' })
  const [mode] = useMode()
  const by = (search.by as Grouping | undefined) ?? 'day'
  const { from, to } = search
  const set = (changed: Partial<typeof search>) =>
    void navigate({ search: before => ({ ...before, ...changed }), replace: true })
  const asked = { ...(from && { from }), ...(to && { to }), group_by: by, mode }
  const { data, error, refetch } = useQuery(trpc.feeReports.report.queryOptions(asked))
  const columns = useColumns(by)
  return (
    <Stack>
      <Group gap="sm" align="flex-end" role="search">
        <Select
          label={t.by}
          allowDeselect={false}
          value={by}
          onChange={chosen => set({ by: chosen === 'day' ? undefined : (chosen ?? undefined) })}
          data={groups.map(value => ({ value, label: t.groups[value] }))}
          w={190}
        />
        <DayFilters from={from} to={to} set={set} />
        <ExportButtons
          path={`/v1/reports/fees?${new URLSearchParams(asked)}`}
          name={reportFile({ by, from, to, mode }, dayIn(new Date()))}
        />
      </Group>
      <Panel isFlush>
        <DataTable
          label={t.label}
          columns={columns}
          rows={data && withTotal(data.items)}
          rowKey={row => row[by] ?? 'total'}
          error={data ? undefined : (error ?? undefined)}
          retry={() => void refetch()}
          empty={<Empty title={t.none}>{t.how}</Empty>}
        />
      </Panel>
    </Stack>
  )
}

/** Adds a last row to the fee report. It contains the totals over all groups. */
function withTotal(rows: readonly Row[]): Row[] {
  if (rows.length < 2) return [...rows]
  const sum = (of: 'count' | 'net' | 'tax' | 'fee' | 'operator_fee' | 'partner_margin') =>
    rows.reduce((total, row) => total + (row[of] ?? 0), 0)
  return [
    ...rows,
    {
      ...{ count: sum('count'), net: sum('net'), tax: sum('tax'), fee: sum('fee') },
      ...{ operator_fee: sum('operator_fee'), partner_margin: sum('partner_margin') },
    },
  ]
}

function useColumns(by: Grouping): Column<Row>[] {
  const t = useWords(text)
  const format = useFormat()
  const channelName = useNameOfChannel()
  const nameOf = ({ day, tenant_name, channel }: Row): string | undefined => {
    if (by === 'day') return day && format.plainDay(day)
    return by === 'tenant' ? tenant_name : channel && channelName(channel)
  }
  const money = (id: 'net' | 'tax' | 'operator_fee' | 'partner_margin', header: string): Column<Row> => ({
    id,
    header,
    share: 1.3,
    align: 'end',
    hidden: 'tablet',
    cell: row => format.money(row[id] ?? 0),
  })
  return [
    {
      id: by,
      header: t.groups[by],
      share: 2.4,
      isWhole: by === 'day',
      cell: row => nameOf(row) ?? <strong>{t.total}</strong>,
    },
    {
      id: 'count',
      header: t.count,
      align: 'end',
      hidden: 'phone',
      cell: ({ count }) => format.count(count),
    },
    money('net', t.net),
    money('tax', t.tax),
    money('operator_fee', t.operator),
    money('partner_margin', t.partner),
    { id: 'fee', header: t.fee, share: 1.4, align: 'end', cell: ({ fee }) => format.money(fee) },
  ]
}
