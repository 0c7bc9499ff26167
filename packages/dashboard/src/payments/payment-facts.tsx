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
    method: 'Method',
    channel: 'Channel',
    code: 'Payment code',
    reference: 'Your reference',
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
    method: 'Metode',
    channel: 'Kanal',
    code: 'Kode pembayaran',
    reference: 'Referensi Anda',
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

export function PaymentFacts({ payment }: { payment: Payment }) {
  const t = useWords(text)
  const methods = useWords(methodWords)
  const { amount_paid, paid_at, provider_payment_id } = payment
  return (
    <Panel title={t.title}>
      <Facts
        items={[
          [t.status, <StatusTag key="status" status={payment.status} />],
          [t.amount, <Sum key="amount" cents={payment.amount} />],
          [t.amountPaid, amount_paid === null ? null : <Sum key="amount-paid" cents={amount_paid} />],
          [t.method, methods[payment.method_type]],
          [t.channel, useChannelName()(payment)],
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
