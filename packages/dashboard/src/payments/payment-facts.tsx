import type { ReactNode } from 'react'
import { useFormat } from '../format/format.ts'
import { useWords, words } from '../language/language.tsx'
import { Copied } from '../parts/copied.tsx'
import { Facts } from '../parts/facts.tsx'
import { Moment } from '../parts/moment.tsx'
import { Panel } from '../parts/panel.tsx'
import { useChannelName } from './channel-name.ts'
import { methodWords, type Payment } from './payment-words.ts'
import { useProviderName } from './provider-name.ts'
import { StatusTag } from './status-tag.tsx'

const text = words({
  en: {
    title: 'Payment',
    status: 'Status',
    amount: 'Amount',
    amountPaid: 'Paid amount',
    refunded: 'Refunded amount',
    reversed: 'Reversed amount',
    method: 'Method',
    channel: 'Channel',
    code: 'Payment code',
    va: 'Virtual account number',
    store: 'Store code',
    reference: 'Order reference',
    id: 'Payment ID',
    provider: 'Provider',
    providerId: 'Provider’s payment ID',
    name: 'Customer',
    email: 'Email address',
    phone: 'Phone number',
    created: 'Created',
    expires: 'Expires',
    paid: 'Paid',
  },
  id: {
    title: 'Pembayaran',
    status: 'Status',
    amount: 'Jumlah',
    amountPaid: 'Jumlah dibayar',
    refunded: 'Jumlah dikembalikan',
    reversed: 'Jumlah ditarik kembali',
    method: 'Metode',
    channel: 'Kanal',
    code: 'Kode pembayaran',
    va: 'Nomor virtual account',
    store: 'Kode bayar di gerai',
    reference: 'Referensi pesanan',
    id: 'ID pembayaran',
    provider: 'Penyedia',
    providerId: 'ID pembayaran di penyedia',
    name: 'Pelanggan',
    email: 'Alamat email',
    phone: 'Nomor telepon',
    created: 'Dibuat',
    expires: 'Jatuh tempo',
    paid: 'Dibayar',
  },
})

/** Shows a payment's details. `actions` are this panel's buttons. */
export function PaymentFacts({ payment, actions }: { payment: Payment; actions?: ReactNode }) {
  const t = useWords(text)
  const methods = useWords(methodWords)
  const { amount_paid, amount_refunded, amount_reversed, paid_at, provider_payment_id } = payment
  return (
    <Panel title={t.title} actions={actions}>
      <Facts
        items={[
          [t.status, <StatusTag key="status" status={payment.status} />],
          [t.amount, <Sum key="amount" cents={payment.amount} />],
          [t.amountPaid, amount_paid === null ? null : <Sum key="amount-paid" cents={amount_paid} />],
          [t.refunded, amount_refunded > 0 && <Sum key="refunded" cents={amount_refunded} />],
          [t.reversed, amount_reversed > 0 && <Sum key="reversed" cents={amount_reversed} />],
          [t.method, methods[payment.method_type]],
          [t.channel, useChannelName()(payment)],
          ...instructionsOf(payment, t),
          [t.code, <Copied key="code" value={payment.payment_code} what={t.code} />],
          [t.reference, <Copied key="reference" value={payment.idempotency_key} what={t.reference} />],
          [t.id, <Copied key="id" value={payment.id} what={t.id} />],
          [t.provider, useProviderName()(payment.provider)],
          [
            t.providerId,
            provider_payment_id && (
              <Copied key="provider-id" value={provider_payment_id} what={t.providerId} />
            ),
          ],
          [t.name, payment.customer_name],
          [t.email, payment.customer_email],
          [t.phone, payment.customer_phone],
          [t.created, <Moment key="created" at={payment.created_at} />],
          [t.expires, <Moment key="expires" at={payment.expires_at} />],
          [t.paid, paid_at && <Moment key="paid" at={paid_at} />],
        ]}
      />
    </Panel>
  )
}

const Sum = ({ cents }: { cents: number }) => <span className="figures">{useFormat().money(cents)}</span>

/**
 * Returns the number that the payer enters to pay, such as a virtual account number. Support agents recognize a payment
 * by this number.
 */
function instructionsOf({ method_data: data }: Payment, t: { va: string; store: string }) {
  if (data.type === 'virtual_account' && data.va_number)
    return [[t.va, <Copied key="va" value={data.va_number} what={t.va} />] as const]
  if (data.type === 'over_the_counter' && data.payment_code)
    return [[t.store, <Copied key="store" value={data.payment_code} what={t.store} />] as const]
  return []
}
