import { useFormat } from '../format/format.ts'
import { useWords, words } from '../language/language.tsx'
import { Panel } from '../parts/panel.tsx'
import { DataTable } from '../table/data-table.tsx'
import { TwoLines } from '../table/two-lines.tsx'
import type { Payment } from './payment-words.ts'

const text = words({
  en: { title: 'Items', name: 'Item', sum: 'Total' },
  id: { title: 'Barang', name: 'Barang', sum: 'Total' },
})

export function PaymentItems({ items }: { items: Payment['items'] }) {
  const t = useWords(text)
  const format = useFormat()
  const numbered = items.map((item, index) => ({ ...item, key: String(index) }))
  return (
    <Panel title={t.title} isFlush>
      <DataTable
        label={t.title}
        rows={numbered}
        rowKey={({ key }) => key}
        empty={null}
        columns={[
          {
            id: 'name',
            header: t.name,
            share: 2.2,
            cell: ({ id, name }) => <span title={name || id}>{name || id}</span>,
          },
          {
            id: 'sum',
            header: t.sum,
            share: 1.4,
            align: 'end',
            cell: ({ price, quantity }) => (
              <TwoLines
                top={format.money(price * quantity)}
                below={`${format.count(quantity)} × ${format.money(price)}`}
              />
            ),
          },
        ]}
      />
    </Panel>
  )
}
