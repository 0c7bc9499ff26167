import { Grid, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { OTHERS_EVERY_MS } from '../api/query-client.ts'
import { trpc } from '../api/trpc.ts'
import { useFormat } from '../format/format.ts'
import { useWords, words } from '../language/language.tsx'
import { ButtonLink } from '../parts/links.tsx'
import { ModeTag } from '../parts/mode-tag.tsx'
import { Page } from '../parts/page.tsx'
import { FailureAlert } from '../payments/failure-alert.tsx'
import { PaymentFacts } from '../payments/payment-facts.tsx'
import { PaymentItems } from '../payments/payment-items.tsx'
import { PaymentNotLoaded } from '../payments/payment-not-loaded.tsx'
import { type Payment, statusWords } from '../payments/payment-words.ts'
import { useReturned } from '../payments/use-returned.ts'
import { PaymentRefunds } from '../refunds/payment-refunds.tsx'
import { useModeOf } from '../shell/mode.ts'
import { TenantLink } from '../tenants/tenant-link.tsx'
import { TenantPaymentCallbacks } from './tenant-payment-callbacks.tsx'
import { TenantPaymentHistory } from './tenant-payment-history.tsx'

const text = words({
  en: { all: 'All payments of this tenant' },
  id: { all: 'Semua pembayaran tenant ini' },
})

/**
 * Shows a merchant's payment to the Owner (the service's operator) or to the merchant's Partner. The page is
 * read-only.
 */
export function TenantPaymentPage() {
  const t = useWords(text)
  const { tenantId, paymentId } = useParams({ from: '/inside/tenants/$tenantId/payments/$paymentId' })
  const path = { tenant_id: tenantId, payment_id: paymentId }
  const { data, error, refetch } = useQuery(
    trpc.support.payment.queryOptions(path, { refetchInterval: OTHERS_EVERY_MS }),
  )
  useModeOf(data)
  if (data) return <Shown payment={data} />
  const toList = (
    <ButtonLink
      to="/tenants/$tenantId"
      params={{ tenantId }}
      search={{ tab: 'payments' }}
      variant="default"
      mt="xs"
    >
      {t.all}
    </ButtonLink>
  )
  return <PaymentNotLoaded error={error} retry={() => void refetch()} list={toList} />
}

function Shown({ payment }: { payment: Payment }) {
  const statuses = useWords(statusWords)
  const returned = useReturned()
  const format = useFormat()
  const path = { tenant_id: payment.tenant_id, payment_id: payment.id }
  const { data: refunds = [] } = useQuery(
    trpc.support.refunds.queryOptions(path, {
      enabled: payment.status === 'paid',
      refetchInterval: OTHERS_EVERY_MS,
    }),
  )
  return (
    <Page
      title={payment.payment_code}
      description={
        <>
          <TenantLink id={payment.tenant_id} />
          {` · ${[format.money(payment.amount), statuses[payment.status], ...returned(payment)].join(' · ')} · `}
          <ModeTag mode={payment.mode} />
        </>
      }
    >
      <FailureAlert payment={payment} />
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, lg: 7 }}>
          <Stack gap="lg">
            <PaymentFacts payment={payment} />
            {payment.items.length > 0 && <PaymentItems items={payment.items} />}
            <TenantPaymentCallbacks of={path} />
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, lg: 5 }}>
          <Stack gap="lg">
            {refunds.length > 0 && <PaymentRefunds refunds={refunds} />}
            <TenantPaymentHistory of={path} refunds={refunds} />
          </Stack>
        </Grid.Col>
      </Grid>
    </Page>
  )
}
