import { Stack } from '@mantine/core'
import { lazy, Suspense } from 'react'
import { useFormat } from '../format/format.ts'
import { rupiahOf } from '../format/rupiah.ts'
import { useLanguage, useWords, words } from '../language/language.tsx'
import { Copied } from '../parts/copied.tsx'
import { Facts } from '../parts/facts.tsx'
import { TextLink } from '../parts/links.tsx'
import { ModeTag } from '../parts/mode-tag.tsx'
import { Moment } from '../parts/moment.tsx'
import { Sheet } from '../parts/sheet.tsx'
import { Pending } from '../parts/states.tsx'
import { useProviderName } from '../payments/provider-name.ts'
import { useFailureWords } from '../payments/use-failure.ts'
import { useAccount, useIsPermitted } from '../session/account.ts'
import { TenantLink } from '../tenants/tenant-link.tsx'
import { RefundStatusTag } from './refund-status-tag.tsx'
import { isCreditedBack, type RefundDetails, refundMethodWords, refundOriginWords } from './refund-words.ts'

// These forms are loaded lazily, because only the Owner (the service's operator) records refund outcomes.
const SettleForm = lazy(() => import('./settle-form.tsx'))
const WonForm = lazy(() => import('./won-form.tsx'))

const text = words({
  en: {
    title: 'Refund',
    status: 'Status',
    amount: 'Amount',
    reference: 'Reference',
    payment: 'Payment',
    open: 'Open payment',
    tenant: 'Tenant',
    mode: 'Mode',
    origin: 'Requested by',
    method: 'Method',
    reason: 'Reason',
    failure: { pending: 'Last response', succeeded: 'Failure', failed: 'Failure' },
    credit: 'Reason for the credit',
    provider: 'Provider',
    providerId: 'Provider’s refund ID',
    bank: 'Bank',
    number: 'Account number',
    holder: 'Account holder',
    bankReference: 'Transfer reference',
    created: 'Created',
    succeeded: 'Refunded',
  },
  id: {
    title: 'Pengembalian dana',
    status: 'Status',
    amount: 'Jumlah',
    reference: 'Referensi',
    payment: 'Pembayaran',
    open: 'Buka pembayaran',
    tenant: 'Tenant',
    mode: 'Mode',
    origin: 'Diajukan oleh',
    method: 'Cara',
    reason: 'Alasan',
    failure: { pending: 'Respons terakhir', succeeded: 'Kegagalan', failed: 'Kegagalan' },
    credit: 'Alasan pengkreditan',
    provider: 'Penyedia',
    providerId: 'ID pengembalian di penyedia',
    bank: 'Bank',
    number: 'Nomor rekening',
    holder: 'Nama pemilik rekening',
    bankReference: 'Referensi transfer',
    created: 'Dibuat',
    succeeded: 'Dikembalikan',
  },
})

export function RefundDrawer({ refund, close }: { refund: RefundDetails | undefined; close: () => void }) {
  const t = useWords(text)
  return (
    <Sheet isOpen={refund !== undefined} close={close} title={t.title}>
      {refund && <Content key={refund.id} refund={refund} close={close} />}
    </Sheet>
  )
}

function Content({ refund, close }: { refund: RefundDetails; close: () => void }) {
  const t = useWords(text)
  const methods = useWords(refundMethodWords)
  const origins = useWords(refundOriginWords)
  const format = useFormat()
  const [language] = useLanguage()
  const providerName = useProviderName()
  const inWords = useFailureWords()
  const { role } = useAccount()
  const maySettle = useIsPermitted('finance') && role === 'owner'
  const account = refund.bank_account
  return (
    <Stack>
      <Facts
        items={[
          [t.status, <RefundStatusTag key="status" refund={refund} />],
          [
            t.amount,
            <Copied
              key="amount"
              value={rupiahOf(refund.amount, language)}
              what={t.amount}
              shown={<span className="figures">{format.money(refund.amount)}</span>}
            />,
          ],
          [t.bank, account?.bank],
          [t.number, account && <Copied key="number" value={account.number} what={t.number} />],
          [t.holder, account?.holder_name],
          [
            t.bankReference,
            refund.bank_reference && (
              <Copied key="bank" value={refund.bank_reference} what={t.bankReference} />
            ),
          ],
          [t.reference, <Copied key="reference" value={refund.reference} what={t.reference} />],
          [
            t.payment,
            role === 'client' ? (
              <TextLink key="payment" to="/payments/$paymentId" params={{ paymentId: refund.payment_id }}>
                {t.open}
              </TextLink>
            ) : (
              <TextLink
                key="payment"
                to="/tenants/$tenantId/payments/$paymentId"
                params={{ tenantId: refund.tenant_id, paymentId: refund.payment_id }}
              >
                {t.open}
              </TextLink>
            ),
          ],
          [t.tenant, role !== 'client' && <TenantLink key="tenant" id={refund.tenant_id} />],
          [t.mode, <ModeTag key="mode" mode={refund.mode} />],
          [t.origin, origins[refund.origin]],
          [t.method, methods[refund.method]],
          [t.reason, refund.reason],
          [
            isCreditedBack(refund) ? t.credit : t.failure[refund.status],
            refund.failure_reason && inWords(refund.failure_reason),
          ],
          [t.provider, providerName(refund.provider)],
          [
            t.providerId,
            refund.provider_refund_id && (
              <Copied key="provider-id" value={refund.provider_refund_id} what={t.providerId} />
            ),
          ],
          [t.created, <Moment key="created" at={refund.created_at} />],
          [t.succeeded, refund.succeeded_at && <Moment key="succeeded" at={refund.succeeded_at} />],
        ]}
      />
      {maySettle && (refund.is_waiting || refund.is_winnable) && (
        <Suspense fallback={<Pending />}>
          {refund.is_waiting ? (
            <SettleForm refund={refund} close={close} />
          ) : (
            <WonForm refund={refund} close={close} />
          )}
        </Suspense>
      )}
    </Stack>
  )
}
