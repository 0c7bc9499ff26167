import { Group, Stack, Text } from '@mantine/core'
import { useFormat } from '../format/format.ts'
import { useWords, words } from '../language/language.tsx'
import { Copied } from '../parts/copied.tsx'
import { Facts } from '../parts/facts.tsx'
import { TextLink } from '../parts/links.tsx'
import { ModeTag } from '../parts/mode-tag.tsx'
import { Moment } from '../parts/moment.tsx'
import { Sheet } from '../parts/sheet.tsx'
import { useProviderName } from '../payments/provider-name.ts'
import { kindWords, pairWords } from '../reconciliation/reconciliation-words.ts'
import { useDetail, useStatusOfEither } from '../reconciliation/use-detail.ts'
import { useIsPermitted } from '../session/account.ts'
import { PaymentLink } from '../support/payment-link.tsx'
import { TenantLink } from '../tenants/tenant-link.tsx'
import { CallbacksLink } from './callbacks-link.tsx'
import { CloseForm } from './close-form.tsx'
import type { KeptDifference } from './inbox-words.ts'

const text = words({
  en: {
    between: 'Compared',
    code: 'Payment',
    reference: 'Reference at the provider',
    tenant: 'Tenant',
    provider: 'Provider',
    providerId: 'Provider’s payment ID',
    mode: 'Mode',
    ourStatus: 'Status in Gapura',
    ourAmount: 'Paid amount in Gapura',
    ledgerAmount: 'Amount in the ledger',
    theirStatus: 'Status at the provider',
    theirAmount: 'Amount at the provider',
    day: 'Day',
    found: 'First found',
    lastFound: 'Last found',
    callbacks: 'Callbacks',
    see: 'Reconcile this day',
  },
  id: {
    between: 'Yang dicocokkan',
    code: 'Pembayaran',
    reference: 'Referensi di penyedia',
    tenant: 'Tenant',
    provider: 'Penyedia',
    providerId: 'ID pembayaran di penyedia',
    mode: 'Mode',
    ourStatus: 'Status di Gapura',
    ourAmount: 'Jumlah dibayar di Gapura',
    ledgerAmount: 'Jumlah di buku besar',
    theirStatus: 'Status di penyedia',
    theirAmount: 'Jumlah di penyedia',
    day: 'Tanggal',
    found: 'Pertama ditemukan',
    lastFound: 'Terakhir ditemukan',
    callbacks: 'Callback',
    see: 'Rekonsiliasi tanggal ini',
  },
})

type Given = { difference: KeptDifference | undefined; close: () => void }

export function DifferenceDrawer({ difference, close }: Given) {
  const kinds = useWords(kindWords)
  const inWords = useDetail()
  const mayClose = useIsPermitted('finance')
  return (
    <Sheet isOpen={difference !== undefined} close={close} title={difference ? kinds[difference.kind] : ''}>
      {difference && (
        <Stack key={difference.id}>
          <Text size="sm">{inWords(difference.detail)}</Text>
          <DifferenceFacts of={difference} />
          {mayClose && <CloseForm id={difference.id} onDone={close} />}
        </Stack>
      )}
    </Sheet>
  )
}

function DifferenceFacts({ of: one }: { of: KeptDifference }) {
  const t = useWords(text)
  const pairs = useWords(pairWords)
  const format = useFormat()
  const providerName = useProviderName()
  const statusIn = useStatusOfEither()
  const sum = (cents: number | null) => cents !== null && format.money(cents)
  return (
    <Facts
      items={[
        [t.between, pairs[one.between]],
        [
          t.code,
          one.payment_code && (
            <PaymentLink key="code" tenantId={one.tenant_id} paymentCode={one.payment_code} />
          ),
        ],
        [t.reference, <Copied key="reference" value={one.reference} what={t.reference} />],
        [t.ourStatus, one.our_status && statusIn(one.our_status)],
        [t.ourAmount, sum(one.our_amount)],
        [t.ledgerAmount, sum(one.ledger_amount)],
        [t.theirStatus, one.their_status && statusIn(one.their_status)],
        [t.theirAmount, sum(one.their_amount)],
        [t.tenant, one.tenant_id && <TenantLink key="tenant" id={one.tenant_id} />],
        [t.provider, providerName(one.provider)],
        [
          t.providerId,
          one.provider_payment_id && <Copied key="id" value={one.provider_payment_id} what={t.providerId} />,
        ],
        [t.mode, <ModeTag key="mode" mode={one.mode} />],
        [t.day, <DayLink key="day" of={one} />],
        [t.found, <Moment key="found" at={one.found_at} />],
        [t.lastFound, <Moment key="last" at={one.last_found_at} />],
        [t.callbacks, one.payment_code && <CallbacksLink key="callbacks" paymentCode={one.payment_code} />],
      ]}
    />
  )
}

function DayLink({ of: { date, mode } }: { of: KeptDifference }) {
  const t = useWords(text)
  const format = useFormat()
  return (
    <Group gap="xs">
      {format.plainDay(date)}
      <TextLink to="/reconciliation" search={{ date, mode }}>
        {t.see}
      </TextLink>
    </Group>
  )
}
