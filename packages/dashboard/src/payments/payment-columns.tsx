import { useFormat } from '../format/format.ts'
import { useWords, words } from '../language/language.tsx'
import { TextLink } from '../parts/links.tsx'
import { Moment } from '../parts/moment.tsx'
import type { Column } from '../table/data-table.tsx'
import { TwoLines } from '../table/two-lines.tsx'
import classes from './payment-columns.module.css'
import { channelOf, methodWords, type Payment } from './payment-words.ts'
import { StatusTag } from './status-tag.tsx'

const text = words({
  en: {
    code: 'Code',
    status: 'Status',
    method: 'Method',
    customer: 'Customer, reference',
    nobody: 'No name',
    amount: 'Amount',
    created: 'Created',
  },
  id: {
    code: 'Kode',
    status: 'Status',
    method: 'Metode',
    customer: 'Pelanggan, referensi',
    nobody: 'Tanpa nama',
    amount: 'Jumlah',
    created: 'Dibuat',
  },
})

export function usePaymentColumns(): Column<Payment>[] {
  const t = useWords(text)
  const methods = useWords(methodWords)
  const format = useFormat()
  return [
    {
      id: 'code',
      header: t.code,
      share: 1.9,
      cell: ({ id, payment_code, status }) => (
        <>
          <TextLink to="/payments/$paymentId" params={{ paymentId: id }} className="mono">
            {payment_code}
          </TextLink>
          <div className={classes.onPhone}>
            <StatusTag status={status} />
          </div>
        </>
      ),
    },
    {
      id: 'status',
      header: t.status,
      share: 1.4,
      hidden: 'phone',
      cell: ({ status }) => <StatusTag status={status} />,
    },
    {
      id: 'method',
      header: t.method,
      share: 1.6,
      hidden: 'phone',
      cell: payment => <TwoLines top={methods[payment.method_type]} below={channelOf(payment)} />,
    },
    {
      id: 'customer',
      header: t.customer,
      share: 1.7,
      hidden: 'tablet',
      cell: ({ customer_name, customer_email, idempotency_key }) => (
        <TwoLines
          top={customer_name || customer_email || t.nobody}
          below={<span title={idempotency_key}>{idempotency_key}</span>}
        />
      ),
    },
    {
      id: 'amount',
      header: t.amount,
      share: 1.4,
      align: 'end',
      cell: ({ amount, created_at }) => (
        <>
          {format.money(amount)}
          <div className={classes.onPhone}>
            <Moment at={created_at} />
          </div>
        </>
      ),
    },
    {
      id: 'created',
      header: t.created,
      share: 1.75,
      align: 'end',
      hidden: 'phone',
      cell: ({ created_at }) => <Moment at={created_at} />,
    },
  ]
}
