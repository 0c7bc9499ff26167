import { Stack, Text } from '@mantine/core'
import { useWords, words } from '../language/language.tsx'
import { Facts } from '../parts/facts.tsx'
import { Moment } from '../parts/moment.tsx'
import { Sheet } from '../parts/sheet.tsx'
import { useProviderName } from '../payments/provider-name.ts'
import { AccountName } from '../provider-accounts/account-name.tsx'
import { useIsPermitted } from '../session/account.ts'
import { PaymentLink } from '../support/payment-link.tsx'
import { TenantLink } from '../tenants/tenant-link.tsx'
import { CallbackTag } from './callback-tag.tsx'
import { type Callback, callbackMeanings } from './callback-words.ts'
import { Reprocess } from './reprocess.tsx'
import { SentParts } from './sent-parts.tsx'
import { useOutcome } from './use-outcome.ts'

const text = words({
  en: {
    title: 'Callback',
    status: 'Status',
    reason: 'Reason',
    payment: 'Payment',
    tenant: 'Tenant',
    received: 'Received',
    processed: 'Processed',
    provider: 'Provider',
    account: 'Account',
  },
  id: {
    title: 'Callback',
    status: 'Status',
    reason: 'Alasan',
    payment: 'Pembayaran',
    tenant: 'Tenant',
    received: 'Diterima',
    processed: 'Diproses',
    provider: 'Penyedia',
    account: 'Akun',
  },
})

export function CallbackDrawer({ callback, close }: { callback: Callback | undefined; close: () => void }) {
  const t = useWords(text)
  return (
    <Sheet isOpen={callback !== undefined} close={close} title={t.title}>
      {callback && <Content key={callback.id} callback={callback} />}
    </Sheet>
  )
}

function Content({ callback }: { callback: Callback }) {
  const t = useWords(text)
  const meanings = useWords(callbackMeanings)
  const providerName = useProviderName()
  const outcomeIn = useOutcome()
  const mayReprocess = useIsPermitted('developer')
  const { status, reason, payment_code, tenant_id, received_at, processed_at } = callback
  const shown = outcomeIn(status, reason)
  return (
    <Stack>
      <Facts
        items={[
          [
            t.status,
            <Stack key="status" gap={4} align="flex-start">
              <CallbackTag status={status} />
              <Text size="sm" c="dimmed">
                {meanings[status]}
              </Text>
            </Stack>,
          ],
          [
            t.reason,
            reason && (
              <Stack key="reason" gap={4}>
                {shown}
                {shown !== reason && (
                  <Text size="xs" c="dimmed">
                    {reason}
                  </Text>
                )}
              </Stack>
            ),
          ],
          [
            t.payment,
            payment_code && <PaymentLink key="payment" tenantId={tenant_id} paymentCode={payment_code} />,
          ],
          [t.tenant, tenant_id && <TenantLink key="tenant" id={tenant_id} />],
          [t.provider, providerName(callback.provider)],
          [t.account, <AccountName key="account" id={callback.provider_account_id} />],
          [t.received, <Moment key="received" at={received_at} />],
          [t.processed, processed_at && <Moment key="processed" at={processed_at} />],
        ]}
      />
      {mayReprocess && <Reprocess callback={callback} />}
      <SentParts sent={callback} />
    </Stack>
  )
}
