import { useFormat } from '../format/format.ts'
import { useWords, words } from '../language/language.tsx'
import { Facts } from '../parts/facts.tsx'
import { Panel } from '../parts/panel.tsx'
import { useAccount } from '../session/account.ts'
import { type Column, DataTable } from '../table/data-table.tsx'
import { OnPhone } from '../table/on-phone.tsx'
import { TenantName } from '../tenants/tenant-name.tsx'
import type { Summary } from './reconciliation.ts'

type Item = Summary['items'][number]

const text = words({
  en: {
    title: 'Totals for the day',
    tenant: 'Tenant',
    paidCount: 'Paid payments',
    paid: 'Total paid',
    creditCount: 'Credits',
    credited: 'Total credited',
    debited: 'Total debited',
  },
  id: {
    title: 'Total pada tanggal ini',
    tenant: 'Tenant',
    paidCount: 'Pembayaran lunas',
    paid: 'Total dibayar',
    creditCount: 'Kredit',
    credited: 'Total kredit',
    debited: 'Total debit',
  },
})

export function Sums({ of: items }: { of: Summary['items'] }) {
  const t = useWords(text)
  const columns = useColumns()
  const { role } = useAccount()
  const [own] = items
  if (!own) return null
  if (role === 'client') return <OwnSums of={own} />
  return (
    <Panel title={t.title} isFlush>
      <DataTable
        label={t.title}
        columns={columns}
        rows={items}
        rowKey={({ tenant_id }) => tenant_id}
        empty={null}
      />
    </Panel>
  )
}

function OwnSums({ of: { paid, credited, debited } }: { of: Item }) {
  const t = useWords(text)
  const format = useFormat()
  const shown = ({ count, amount }: Item['paid']) => `${format.money(amount)} (${format.count(count)})`
  return (
    <Panel title={t.title}>
      <Facts
        items={[
          [t.paid, shown(paid)],
          [t.credited, shown(credited)],
          [t.debited, shown(debited)],
        ]}
      />
    </Panel>
  )
}

function useColumns(): Column<Item>[] {
  const t = useWords(text)
  const format = useFormat()
  return [
    {
      id: 'tenant',
      header: t.tenant,
      share: 1.6,
      cell: ({ tenant_id }) => <TenantName id={tenant_id} />,
    },
    {
      id: 'paid-count',
      header: t.paidCount,
      align: 'end',
      hidden: 'phone',
      cell: ({ paid }) => format.count(paid.count),
    },
    {
      id: 'paid',
      header: t.paid,
      share: 1.4,
      align: 'end',
      cell: ({ paid, credited }) => (
        <>
          {format.money(paid.amount)}
          <OnPhone>
            {t.creditCount}: {format.money(credited.amount)}
          </OnPhone>
        </>
      ),
    },
    {
      id: 'credit-count',
      header: t.creditCount,
      align: 'end',
      hidden: 'phone',
      cell: ({ credited }) => format.count(credited.count),
    },
    {
      id: 'credited',
      header: t.credited,
      share: 1.4,
      align: 'end',
      hidden: 'phone',
      cell: ({ credited }) => format.money(credited.amount),
    },
    {
      id: 'debited',
      header: t.debited,
      share: 1.4,
      align: 'end',
      hidden: 'tablet',
      cell: ({ debited }) => format.money(debited.amount),
    },
  ]
}
