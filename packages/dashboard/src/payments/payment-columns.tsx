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
 * The columns of a list of payments. Pass `tenantId` if the Owner or a Partner lists the payments of this merchant.
 */
export function usePaymentColumns(tenantId?: string): Column<Payment>[] {
  const t = useWords(text)
  const methods = useWords(methodWords)
  const channelName = useChannelName()
  const format = useFormat()
  return [
    {
      id: 'code',
      header: t.code,
      share: 1.9,
      isWhole: true,
      cell: ({ id, payment_code, created_at }) => (
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
      cell: payment => <TwoLines top={methods[payment.method_type]} below={channelName(payment)} />,
    },
    {
      id: 'customer',
      header: t.customer,
      share: 1.7,
      hidden: 'tablet',
      cell: ({ customer_name, customer_email, idempotency_key }) => (
        <TwoLines
          top={customer_name || customer_email || t.noName}
          below={<span title={idempotency_key}>{idempotency_key}</span>}
        />
      ),
    },
    {
      id: 'amount',
      header: t.amount,
      share: 1.4,
      align: 'end',
      cell: ({ amount, status }) => (
        <>
          {format.money(amount)}
          <OnPhone>
            <StatusTag status={status} />
          </OnPhone>
        </>
      ),
    },
  ]
}
