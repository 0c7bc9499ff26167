import { useFormat } from '../format/format.ts'
import { useWords, words } from '../language/language.tsx'
import { Panel } from '../parts/panel.tsx'
import { DataTable } from '../table/data-table.tsx'
import type { Payment } from './payment-words.ts'

const text = words({
  en: { title: 'Items', name: 'Item', quantity: 'Quantity', price: 'Price', sum: 'Sum' },
  id: { title: 'Barang', name: 'Barang', quantity: 'Banyaknya', price: 'Harga', sum: 'Total' },
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
          { id: 'name', header: t.name, share: 2.2, cell: ({ id, name }) => name || id },
          {
            id: 'quantity',
            header: t.quantity,
            align: 'end',
            cell: ({ quantity }) => format.count(quantity),
          },
          {
            id: 'price',
            header: t.price,
            share: 1.4,
            align: 'end',
            hidden: 'phone',
            cell: ({ price }) => format.money(price),
          },
          {
            id: 'sum',
            header: t.sum,
            share: 1.4,
            align: 'end',
            cell: ({ price, quantity }) => format.money(price * quantity),
          },
        ]}
      />
    </Panel>
  )
}
