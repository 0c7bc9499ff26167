import { Stack } from '@mantine/core'
import { lazy, Suspense } from 'react'
import { useFormat } from '../format/format.ts'
import { useWords, words } from '../language/language.tsx'
import { Copied } from '../parts/copied.tsx'
import { Facts } from '../parts/facts.tsx'
import { ModeTag } from '../parts/mode-tag.tsx'
import { Moment } from '../parts/moment.tsx'
import { Sheet } from '../parts/sheet.tsx'
import { Pending } from '../parts/states.tsx'
import { methodWords } from '../payments/payment-words.ts'
import { useProviderName } from '../payments/provider-name.ts'
import { useFailureWords } from '../payments/use-failure.ts'
import { useIsPermitted } from '../session/account.ts'
import { PaymentLink } from '../support/payment-link.tsx'
import { TenantLink } from '../tenants/tenant-link.tsx'
import { CallbacksLink } from './callbacks-link.tsx'
import type { Challenged } from './inbox-words.ts'

const ResolveForm = lazy(() =>
  import('./resolve-form.tsx').then(({ ResolveForm }) => ({ default: ResolveForm })),
)

const text = words({
  en: {
    title: 'Challenged payment',
    code: 'Payment',
    reason: 'Reason',
    tenant: 'Tenant',
    amount: 'Amount',
    provider: 'Provider',
    providerId: 'Provider’s payment ID',
    method: 'Method',
    customer: 'Customer',
    email: 'Email',
    phone: 'Phone',
    mode: 'Mode',
    since: 'Waiting since',
    created: 'Created',
    callbacks: 'Callbacks',
  },
  id: {
    title: 'Pembayaran perlu ditinjau',
    code: 'Pembayaran',
    reason: 'Alasan',
    tenant: 'Tenant',
    amount: 'Jumlah',
    provider: 'Penyedia',
    providerId: 'ID pembayaran di penyedia',
    method: 'Metode',
    customer: 'Pelanggan',
    email: 'Email',
    phone: 'Telepon',
    mode: 'Mode',
    since: 'Menunggu sejak',
    created: 'Dibuat',
    callbacks: 'Callback',
  },
})

export function ChallengedDrawer({ payment, close }: { payment: Challenged | undefined; close: () => void }) {
  const t = useWords(text)
  const mayDecide = useIsPermitted('finance')
  return (
    <Sheet isOpen={payment !== undefined} close={close} title={t.title}>
      {payment && (
        <Stack key={payment.payment_id}>
          <ChallengedFacts payment={payment} />
          {mayDecide && (
            <Suspense fallback={<Pending />}>
              <ResolveForm payment={payment} close={close} />
            </Suspense>
          )}
        </Stack>
      )}
    </Sheet>
  )
}

function ChallengedFacts({ payment }: { payment: Challenged }) {
  const t = useWords(text)
  const methods = useWords(methodWords)
  const format = useFormat()
  const providerName = useProviderName()
  const inWords = useFailureWords()
  const { provider_payment_id: providerId } = payment
  return (
    <Facts
      items={[
        [t.code, <PaymentLink key="code" tenantId={payment.tenant_id} paymentCode={payment.payment_code} />],
        [t.reason, payment.failure_reason && inWords(payment.failure_reason)],
        [t.amount, format.money(payment.amount)],
        [t.customer, payment.customer_name],
        [t.email, payment.customer_email],
        [t.phone, payment.customer_phone],
        [t.tenant, <TenantLink key="tenant" id={payment.tenant_id} />],
        [t.provider, providerName(payment.provider)],
        [t.providerId, providerId && <Copied key="provider" value={providerId} what={t.providerId} />],
        [t.method, methods[payment.method_type]],
        [t.mode, <ModeTag key="mode" mode={payment.mode} />],
        [t.since, <Moment key="since" at={payment.updated_at} />],
        [t.created, <Moment key="created" at={payment.created_at} />],
        [t.callbacks, <CallbacksLink key="callbacks" paymentCode={payment.payment_code} />],
      ]}
    />
  )
}
