import { useFormat } from '../format/format.ts'
import { useWords, words } from '../language/language.tsx'
import { TextLink } from '../parts/links.tsx'
import { Moment } from '../parts/moment.tsx'
import { PaymentLink } from '../support/payment-link.tsx'
import type { Column } from '../table/data-table.tsx'
import { OnPhone } from '../table/on-phone.tsx'
import { TwoLines } from '../table/two-lines.tsx'
import { useChannelName } from './channel-name.ts'
import { methodWords, type Payment } from './payment-words.ts'
import { StatusTag } from './status-tag.tsx'
import { useReturned } from './use-returned.ts'

const text = words({
  en: {
    code: 'Code, created',
    status: 'Status',
    method: 'Method',
    customer: 'Customer, reference',
    noName: 'No name',
    amount: 'Amount',
  },
  id: {
    code: 'Kode, dibuat',
    status: 'Status',
    method: 'Metode',
    customer: 'Pelanggan, referensi',
    noName: 'Tanpa nama',
    amount: 'Jumlah',
  },
})

/**
 * The columns for a list of payments. If the Owner (the service's operator) or a Partner (a reseller) lists a
 * merchant's payments, `tenantId` is the merchant's ID.
 */
export function usePaymentColumns(tenantId?: string): Column<Payment>[] {
  const t = useWords(text)
  const methods = useWords(methodWords)
  const channelName = useChannelName()
  const format = useFormat()
  const returned = useReturned()
  const nameOf = ({ customer_name, customer_email }: Payment) => customer_name || customer_email || t.noName
  return [
    {
      id: 'code',
      header: t.code,
      isSorted: true,
      share: 1.9,
      isWhole: true,
      cell: payment => {
        const { id, payment_code, created_at } = payment
        return (
          <>
            <TwoLines
              top={
                tenantId === undefined ? (
                  <TextLink to="/payments/$paymentId" params={{ paymentId: id }} className="mono">
                    {payment_code}
                  </TextLink>
                ) : (
                  <PaymentLink tenantId={tenantId} paymentCode={payment_code} />
                )
              }
              below={<Moment at={created_at} />}
            />
            <OnPhone>{nameOf(payment)}</OnPhone>
          </>
        )
      },
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
      cell: payment => <TwoLines top={methods[payment.method_type]} below={channelName(payment)} />,
    },
    {
      id: 'customer',
      header: t.customer,
      share: 1.7,
      hidden: 'tablet',
      cell: payment => (
        <TwoLines
          top={nameOf(payment)}
          below={<span title={payment.idempotency_key}>{payment.idempotency_key}</span>}
        />
      ),
    },
    {
      id: 'amount',
      header: t.amount,
      share: 1.4,
      align: 'end',
      cell: payment => (
        <>
          <TwoLines top={format.money(payment.amount)} below={returned(payment).join(', ')} />
          <OnPhone>
            <StatusTag status={payment.status} />
          </OnPhone>
        </>
      ),
    },
  ]
}
