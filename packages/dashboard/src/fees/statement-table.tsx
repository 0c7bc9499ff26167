import { Table } from '@mantine/core'
import type { ReactNode } from 'react'
import { useFormat } from '../format/format.ts'
import { useWords, words } from '../language/language.tsx'
import { useNameOfChannel } from '../payments/name-of-channel.ts'
import { methodWords } from '../payments/payment-words.ts'

const text = words({
  en: {
    channel: 'Payments',
    count: 'Number',
    net: 'Before tax (DPP)',
    tax: 'Tax (PPN)',
    sum: 'Total',
  },
  id: {
    channel: 'Pembayaran',
    count: 'Banyaknya',
    net: 'Sebelum pajak (DPP)',
    tax: 'Pajak (PPN)',
    sum: 'Total',
  },
})

type Amounts = { count: number; net: number; tax: number; total: number }
type Row = Amounts & {
  method_type: keyof (typeof methodWords)['en']
  channel: string
  tenant_id?: string
  tenant_name?: string
}

/** A table of a monthly statement: amounts by method and channel, and by Client if the rows have one. */
export function StatementTable({
  label,
  total,
  items,
  sums,
}: {
  label: string
  /** The heading of the table column that contains the amounts including tax. */
  total: string
  items: readonly Row[]
  sums: Amounts
}) {
  const t = useWords(text)
  const methods = useWords(methodWords)
  const channelName = useNameOfChannel()
  const nameOf = ({ method_type, channel }: Row) =>
    method_type === channel ? methods[method_type] : `${methods[method_type]} · ${channelName(channel)}`
  return (
    <Table aria-label={label} mt="lg" horizontalSpacing={4} className="figures">
      <Table.Thead>
        <AmountRow name={t.channel} count={t.count} net={t.net} tax={t.tax} total={total} isHead />
      </Table.Thead>
      <Table.Tbody>
        {items.map(item => (
          <Figures
            key={`${item.tenant_id}/${item.method_type}/${item.channel}`}
            name={item.tenant_name === undefined ? nameOf(item) : `${item.tenant_name}: ${nameOf(item)}`}
            of={item}
          />
        ))}
      </Table.Tbody>
      <Table.Tfoot>
        <Figures name={t.sum} of={sums} isHead />
      </Table.Tfoot>
    </Table>
  )
}

function Figures({ of, ...row }: { name: string; of: Amounts; isHead?: boolean }) {
  const format = useFormat()
  return (
    <AmountRow
      {...row}
      count={format.count(of.count)}
      net={format.money(of.net)}
      tax={format.money(of.tax)}
      total={format.money(of.total)}
    />
  )
}

type Cells = Record<'name' | 'count' | 'net' | 'tax' | 'total', ReactNode> & { isHead?: boolean }

function AmountRow({ name, count, net, tax, total, isHead = false }: Cells) {
  const Cell = isHead ? Table.Th : Table.Td
  return (
    <Table.Tr>
      <Cell>{name}</Cell>
      <Cell ta="end" visibleFrom="xs">
        {count}
      </Cell>
      <Cell ta="end" visibleFrom="xs">
        {net}
      </Cell>
      <Cell ta="end" visibleFrom="xs">
        {tax}
      </Cell>
      <Cell ta="end">{total}</Cell>
    </Table.Tr>
  )
}
