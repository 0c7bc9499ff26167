import { Text } from '@mantine/core'
import type { Outputs } from '../api/trpc.ts'
import { useFormat } from '../format/format.ts'
import { useWords, words } from '../language/language.tsx'
import { Facts } from '../parts/facts.tsx'
import { Panel } from '../parts/panel.tsx'
import { modeWords } from '../shell/mode-words.ts'
import { useMonthName } from './months.ts'
import { PartnerMargins } from './partner-margins.tsx'
import { StatementTable } from './statement-table.tsx'

const text = words({
  en: {
    title: (month: string) => `Fee statement for ${month}`,
    tenant: 'Tenant',
    id: 'Tenant ID',
    mode: 'Mode',
    net: 'Before tax (DPP)',
    tax: 'Tax (PPN)',
    total: 'Fees',
    label: 'Fees by method and channel',
    none: 'No fees were charged in this month.',
    note: 'Fees for payments credited in this month, in Western Indonesia Time. Returned fees are deducted.',
  },
  id: {
    title: (month: string) => `Laporan biaya ${month}`,
    tenant: 'Tenant',
    id: 'ID tenant',
    mode: 'Mode',
    net: 'Sebelum pajak (DPP)',
    tax: 'Pajak (PPN)',
    total: 'Biaya',
    label: 'Biaya per metode dan kanal',
    none: 'Tidak ada biaya pada bulan ini.',
    note: 'Biaya pembayaran yang dikreditkan pada bulan ini, menurut WIB. Biaya yang dikembalikan sudah dikurangkan.',
  },
})

/** Shows the monthly fee statement in the form in which it is printed. */
export function StatementSheet({ statement }: { statement: Outputs['feeReports']['ownStatement'] }) {
  const t = useWords(text)
  const modes = useWords(modeWords)
  const monthName = useMonthName()
  const { items, margins } = statement
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
        <StatementTable label={t.label} total={t.total} items={items} sums={statement} />
      )}
      <Text size="xs" c="dimmed" mt="md">
        {t.note}
      </Text>
      {margins && <PartnerMargins margins={margins} />}
    </Panel>
  )
}

const Sum = ({ cents }: { cents: number }) => <span className="figures">{useFormat().money(cents)}</span>
