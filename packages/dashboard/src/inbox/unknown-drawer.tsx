import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { client } from '../api/trpc.ts'
import { useFormat } from '../format/format.ts'
import { useWords, words } from '../language/language.tsx'
import { Copied } from '../parts/copied.tsx'
import { Facts } from '../parts/facts.tsx'
import { ModeTag } from '../parts/mode-tag.tsx'
import { Moment } from '../parts/moment.tsx'
import { Sheet } from '../parts/sheet.tsx'
import { Pending } from '../parts/states.tsx'
import { useAct } from '../parts/use-act.ts'
import { useProviderName } from '../payments/provider-name.ts'
import { useFailureWords } from '../payments/use-failure.ts'
import { useIsPermitted } from '../session/account.ts'
import { PaymentLink } from '../support/payment-link.tsx'
import { TenantLink } from '../tenants/tenant-link.tsx'
import type { Unknown } from './inbox-words.ts'
import { outcomeWords } from './outcome-words.ts'
import { refreshInbox } from './refresh-inbox.ts'

const NotCreatedForm = lazy(() =>
  import('./not-created-form.tsx').then(({ NotCreatedForm }) => ({ default: NotCreatedForm })),
)

const text = words({
  en: {
    title: 'Charge with an unknown outcome',
    about:
      'The provider did not confirm whether it accepted this charge. Until the outcome is known, Gapura neither retries nor cancels the charge, so that the payer is not charged twice.',
    code: 'Payment',
    reference: 'Reference at the provider',
    reason: 'Reason',
    tenant: 'Tenant',
    amount: 'Amount',
    provider: 'Provider',
    mode: 'Mode',
    since: 'Unknown since',
    next: 'Next check',
    operator: 'None: needs your decision',
    ask: 'Check at the provider now',
    settle: 'Mark as not created…',
  },
  id: {
    title: 'Penagihan dengan hasil tidak diketahui',
    about:
      'Penyedia tidak mengonfirmasi apakah penagihan ini diterima. Selama hasilnya belum diketahui, Gapura tidak mengulang dan tidak membatalkan penagihan, agar pembayar tidak tertagih dua kali.',
    code: 'Pembayaran',
    reference: 'Referensi di penyedia',
    reason: 'Alasan',
    tenant: 'Tenant',
    amount: 'Jumlah',
    provider: 'Penyedia',
    mode: 'Mode',
    since: 'Tidak diketahui sejak',
    next: 'Pengecekan berikutnya',
    operator: 'Tidak ada: perlu keputusan Anda',
    ask: 'Periksa di penyedia sekarang',
    settle: 'Tandai tidak dibuat…',
  },
})

export function UnknownDrawer({ payment, close }: { payment: Unknown | undefined; close: () => void }) {
  const t = useWords(text)
  return (
    <Sheet isOpen={payment !== undefined} close={close} title={t.title}>
      {payment && <Content key={payment.payment_id} payment={payment} close={close} />}
    </Sheet>
  )
}

function Content({ payment, close }: { payment: Unknown; close: () => void }) {
  const t = useWords(text)
  const outcomes = useWords(outcomeWords)
  const format = useFormat()
  const providerName = useProviderName()
  const inWords = useFailureWords()
  const queries = useQueryClient()
  const mayAsk = useIsPermitted(['finance', 'support'])
  const maySettle = useIsPermitted('finance')
  const [isSettling, setSettling] = useState(false)
  const ask = useAct({
    mutationFn: () => client.unknownPayments.inquire.mutate({ payment_id: payment.payment_id }),
    onSuccess: () => refreshInbox(queries),
  })
  const isStillUnknown = !ask.data || ask.data.outcome === 'unknown'
  return (
    <Stack>
      <Text size="sm" c="dimmed">
        {t.about}
      </Text>
      <Facts
        items={[
          [
            t.code,
            <PaymentLink key="code" tenantId={payment.tenant_id} paymentCode={payment.payment_code} />,
          ],
          [t.reference, <Copied key="reference" value={payment.reference} what={t.reference} />],
          [t.reason, payment.reason && inWords(payment.reason)],
          [t.amount, format.money(payment.amount)],
          [t.tenant, <TenantLink key="tenant" id={payment.tenant_id} />],
          [t.provider, providerName(payment.provider)],
          [t.mode, <ModeTag key="mode" mode={payment.mode} />],
          [t.since, <Moment key="since" at={payment.since} />],
          [t.next, payment.next_inquiry_at ? <Moment key="next" at={payment.next_inquiry_at} /> : t.operator],
        ]}
      />
      <div role="status">
        {ask.data && (
          <Alert color={isStillUnknown ? 'gray' : 'gapura'} title={outcomes[ask.data.outcome]}>
            {ask.data.reason && inWords(ask.data.reason)}
          </Alert>
        )}
      </div>
      {isStillUnknown &&
        (isSettling ? (
          <Suspense fallback={<Pending />}>
            <NotCreatedForm payment={payment} back={() => setSettling(false)} onDone={close} />
          </Suspense>
        ) : (
          <Group>
            {mayAsk && (
              <Button loading={ask.isPending} onClick={() => ask.mutate(undefined)}>
                {t.ask}
              </Button>
            )}
            {maySettle && (
              <Button variant="default" onClick={() => setSettling(true)}>
                {t.settle}
              </Button>
            )}
          </Group>
        ))}
    </Stack>
  )
}
