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
import { TenantLink } from '../tenants/tenant-link.tsx'
import type { Unknown } from './inbox-words.ts'
import { outcomeWords } from './outcome-words.ts'
import { refreshInbox } from './refresh-inbox.ts'

const NotCreatedForm = lazy(() =>
  import('./not-created-form.tsx').then(({ NotCreatedForm }) => ({ default: NotCreatedForm })),
)

const text = words({
  en: {
    title: 'Charge of unknown outcome',
    about:
      'The provider did not say whether it took this charge. Until that is known it is neither repeated nor given up, so that nobody is charged twice.',
    code: 'Payment',
    reference: 'Reference there',
    reason: 'Why',
    tenant: 'Tenant',
    amount: 'Amount',
    provider: 'Provider',
    mode: 'Mode',
    since: 'Since',
    next: 'Asked again',
    operator: 'No more: it waits for you',
    ask: 'Ask the provider now',
    settle: 'It was not created there',
  },
  id: {
    title: 'Permintaan dengan hasil tidak diketahui',
    about:
      'Penyedia tidak memberi tahu apakah permintaan ini diterima. Selama belum diketahui, permintaan tidak diulang dan tidak dibatalkan, agar tidak ada yang ditagih dua kali.',
    code: 'Pembayaran',
    reference: 'Referensi di sana',
    reason: 'Sebab',
    tenant: 'Tenant',
    amount: 'Jumlah',
    provider: 'Penyedia',
    mode: 'Mode',
    since: 'Sejak',
    next: 'Ditanyakan lagi',
    operator: 'Tidak lagi: menunggu Anda',
    ask: 'Tanyakan ke penyedia sekarang',
    settle: 'Tidak dibuat di sana',
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
  const queries = useQueryClient()
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
          [t.code, <Copied key="code" value={payment.payment_code} what={t.code} />],
          [t.reference, <Copied key="reference" value={payment.reference} what={t.reference} />],
          [t.reason, payment.reason],
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
            {ask.data.reason}
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
            <Button loading={ask.isPending} onClick={() => ask.mutate(undefined)}>
              {t.ask}
            </Button>
            <Button variant="default" onClick={() => setSettling(true)}>
              {t.settle}
            </Button>
          </Group>
        ))}
    </Stack>
  )
}
