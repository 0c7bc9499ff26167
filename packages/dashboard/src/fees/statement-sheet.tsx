import { Table, Text } from '@mantine/core'
import type { Outputs } from '../api/trpc.ts'
import { useFormat } from '../format/format.ts'
import { useWords, words } from '../language/language.tsx'
import { Facts } from '../parts/facts.tsx'
import { Panel } from '../parts/panel.tsx'
import { useNameOfChannel } from '../payments/name-of-channel.ts'
import { methodWords } from '../payments/payment-words.ts'
import { modeWords } from '../shell/mode-words.ts'
import { useMonthName } from './months.ts'

const text = words({
  en: {
    title: (month: string) => `Fee statement for ${month}`,
    tenant: 'Tenant',
    id: 'Tenant ID',
    mode: 'Mode',
    channel: 'Payments',
    count: 'Number',
    net: 'Before tax (DPP)',
    tax: 'Tax (PPN)',
    total: 'Fees',
    sum: 'Total',
    label: 'Fees by method and channel',
    none: 'No fees were charged in this month.',
    note: 'Fees for payments credited in this month, in Western Indonesia Time. Fees returned by refunds are deducted.',
  },
  id: {
    title: (month: string) => `Laporan biaya ${month}`,
    tenant: 'Tenant',
    id: 'ID tenant',
    mode: 'Mode',
    channel: 'Pembayaran',
    count: 'Banyaknya',
    net: 'Sebelum pajak (DPP)',
    tax: 'Pajak (PPN)',
    total: 'Biaya',
    sum: 'Total',
    label: 'Biaya per metode dan kanal',
    none: 'Tidak ada biaya pada bulan ini.',
    note: 'Biaya pembayaran yang dikreditkan pada bulan ini, menurut WIB. Biaya yang dikembalikan karena pengembalian dana sudah dikurangkan.',
  },
})

/** The monthly fee statement as it is printed. */
export function StatementSheet({ statement }: { statement: Outputs['feeReports']['ownStatement'] }) {
  const t = useWords(text)
  const format = useFormat()
  const modes = useWords(modeWords)
  const methods = useWords(methodWords)
  const monthName = useMonthName()
  const channelName = useNameOfChannel()
  const { items } = statement
  return (
    <Panel title={t.title(monthName(statement.month))}>
      <Facts
        items={[
          [t.tenant, statement.tenant_name],
          [
            t.id,
            <span key="id" className="mono">
              {statement.tenant_id}
            </span>,
          ],
          [t.mode, modes[statement.mode]],
          [t.net, <Sum key="net" cents={statement.net} />],
          [t.tax, <Sum key="tax" cents={statement.tax} />],
          [
            t.total,
            <strong key="total">
              <Sum cents={statement.total} />
            </strong>,
          ],
        ]}
      />
      {items.length === 0 ? (
        <Text size="sm" mt="md">
          {t.none}
        </Text>
      ) : (
        <Table aria-label={t.label} mt="lg" horizontalSpacing={4} className="figures">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t.channel}</Table.Th>
              <Table.Th ta="end" visibleFrom="xs">
                {t.count}
              </Table.Th>
              <Table.Th ta="end" visibleFrom="xs">
                {t.net}
              </Table.Th>
              <Table.Th ta="end" visibleFrom="xs">
                {t.tax}
              </Table.Th>
              <Table.Th ta="end">{t.total}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {items.map(({ method_type, channel, count, net, tax, total }) => (
              <Table.Tr key={`${method_type}/${channel}`}>
                <Table.Td>
                  {method_type === channel
                    ? methods[method_type]
                    : `${methods[method_type]} · ${channelName(channel)}`}
                </Table.Td>
                <Table.Td ta="end" visibleFrom="xs">
                  {format.count(count)}
                </Table.Td>
                <Table.Td ta="end" visibleFrom="xs">
                  {format.money(net)}
                </Table.Td>
                <Table.Td ta="end" visibleFrom="xs">
                  {format.money(tax)}
                </Table.Td>
                <Table.Td ta="end">{format.money(total)}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
          <Table.Tfoot>
            <Table.Tr>
              <Table.Th>{t.sum}</Table.Th>
              <Table.Th ta="end" visibleFrom="xs">
                {format.count(statement.count)}
              </Table.Th>
              <Table.Th ta="end" visibleFrom="xs">
                {format.money(statement.net)}
              </Table.Th>
              <Table.Th ta="end" visibleFrom="xs">
                {format.money(statement.tax)}
              </Table.Th>
              <Table.Th ta="end">{format.money(statement.total)}</Table.Th>
            </Table.Tr>
          </Table.Tfoot>
        </Table>
      )}
      <Text size="xs" c="dimmed" mt="md">
        {t.note}
      </Text>
    </Panel>
  )
}

const Sum = ({ cents }: { cents: number }) => <span className="figures">{useFormat().money(cents)}</span>
