import { useFormat } from '../format/format.ts'
import { useWords, words } from '../language/language.tsx'
import { Copied } from '../parts/copied.tsx'
import { Facts } from '../parts/facts.tsx'
import { ModeTag } from '../parts/mode-tag.tsx'
import { Moment } from '../parts/moment.tsx'
import { Tag } from '../parts/tag.tsx'
import { AccountName } from '../provider-accounts/account-name.tsx'
import { RefundStatusTag } from '../refunds/refund-status-tag.tsx'
import { PaymentLink } from '../support/payment-link.tsx'
import { TenantLink } from '../tenants/tenant-link.tsx'
import { CallbacksLink } from './callbacks-link.tsx'
import { isReturn, type Money, moneyStatusWords, moneyTones, returnStatusWords } from './inbox-words.ts'

const text = words({
  en: {
    status: 'Status',
    decided: 'Decided on',
    reason: 'Reason',
    amount: 'Amount',
    expected: 'Agreed amount',
    ledger: 'Ledger',
    has: { arrival: 'Included in the balance', reversal: 'Debited from the balance' },
    hasNot: { arrival: 'Not included in the balance', reversal: 'Not debited from the balance' },
    payment: 'Payment',
    unknown: 'Unknown',
    tenant: 'Tenant',
    account: 'Provider account',
    reference: 'Reference',
    receipt: 'Receipt',
    mode: 'Mode',
    paid: 'Received',
    reported: 'Reported',
    unreported: 'Not reported',
    returned: 'Status at the provider',
    refund: 'Refund',
    callbacks: 'Callbacks',
  },
  id: {
    status: 'Status',
    decided: 'Diputuskan pada',
    reason: 'Alasan',
    amount: 'Jumlah',
    expected: 'Jumlah yang disepakati',
    ledger: 'Buku besar',
    has: { arrival: 'Sudah termasuk dalam saldo', reversal: 'Sudah didebit dari saldo' },
    hasNot: { arrival: 'Belum termasuk dalam saldo', reversal: 'Belum didebit dari saldo' },
    payment: 'Pembayaran',
    unknown: 'Tidak diketahui',
    tenant: 'Tenant',
    account: 'Akun penyedia',
    reference: 'Referensi',
    receipt: 'Tanda terima',
    mode: 'Mode',
    paid: 'Diterima',
    reported: 'Dilaporkan',
    unreported: 'Tidak dilaporkan',
    returned: 'Status di penyedia',
    refund: 'Pengembalian dana',
    callbacks: 'Callback',
  },
})

export function MoneyFacts({ money }: { money: Money }) {
  const t = useWords(text)
  const statuses = useWords(moneyStatusWords)
  const format = useFormat()
  const { status, kind, payment_code, tenant_id, expected_amount, receipt, decided_at, refund_status } = money
  const returnStatuses = useWords(returnStatusWords)
  const what = kind === 'reversal' || isReturn(money) ? 'reversal' : 'arrival'
  return (
    <Facts
      items={[
        [
          t.status,
          <Tag key="status" tone={moneyTones[status]}>
            {statuses[status]}
          </Tag>,
        ],
        [t.decided, decided_at && <Moment key="decided" at={decided_at} />],
        [t.reason, money.reason],
        [t.amount, money.amount === 0 ? t.unreported : format.money(money.amount)],
        [t.returned, money.return_status && returnStatuses[money.return_status]],
        [
          t.refund,
          refund_status && (
            <RefundStatusTag key="refund" refund={{ status: refund_status, origin: 'operator' }} />
          ),
        ],
        [t.expected, expected_amount === null ? null : format.money(expected_amount)],
        [t.ledger, money.in_ledger ? t.has[what] : t.hasNot[what]],
        [
          t.payment,
          payment_code ? (
            <PaymentLink key="payment" tenantId={tenant_id} paymentCode={payment_code} />
          ) : (
            t.unknown
          ),
        ],
        [t.tenant, tenant_id && <TenantLink key="tenant" id={tenant_id} />],
        [t.account, <AccountName key="account" id={money.provider_account_id} />],
        [t.reference, <Copied key="reference" value={money.reference} what={t.reference} />],
        [t.receipt, receipt && <Copied key="receipt" value={receipt} what={t.receipt} />],
        [t.mode, <ModeTag key="mode" mode={money.mode} />],
        [isReturn(money) ? t.reported : t.paid, <Moment key="paid" at={money.paid_at} />],
        [t.callbacks, payment_code && <CallbacksLink key="callbacks" paymentCode={payment_code} />],
      ]}
    />
  )
}
