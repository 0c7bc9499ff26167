import { Stack, Text } from '@mantine/core'
import { useFormat } from '../format/format.ts'
import { useWords, words } from '../language/language.tsx'
import { Copied } from '../parts/copied.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { Facts } from '../parts/facts.tsx'
import { ButtonLink } from '../parts/links.tsx'
import { useProviderName } from '../payments/provider-name.ts'
import { useAccount } from '../session/account.ts'
import { TenantName } from '../tenants/tenant-name.tsx'
import type { Difference } from './reconciliation.ts'
import { kindWords, pairWords } from './reconciliation-words.ts'
import { useDetail, useStatusOfEither } from './use-detail.ts'

const text = words({
  en: {
    between: 'Compared',
    tenant: 'Tenant',
    code: 'Payment code',
    reference: 'Reference at the provider',
    provider: 'Provider',
    theirId: 'Provider’s payment ID',
    ourStatus: 'Status in Gapura',
    ourAmount: 'Paid amount in Gapura',
    ledgerAmount: 'Amount in the ledger',
    theirStatus: 'Status at the provider',
    theirAmount: 'Amount at the provider',
    show: 'View payment',
  },
  id: {
    between: 'Yang dicocokkan',
    tenant: 'Tenant',
    code: 'Kode pembayaran',
    reference: 'Referensi di penyedia',
    provider: 'Penyedia',
    theirId: 'ID pembayaran di penyedia',
    ourStatus: 'Status di Gapura',
    ourAmount: 'Jumlah dibayar di Gapura',
    ledgerAmount: 'Jumlah di buku besar',
    theirStatus: 'Status di penyedia',
    theirAmount: 'Jumlah di penyedia',
    show: 'Lihat pembayaran',
  },
})

export function DifferenceDetails({ of: one, close }: { of: Difference; close: () => void }) {
  const t = useWords(text)
  const format = useFormat()
  const inWords = useDetail()
  const statusIn = useStatusOfEither()
  const providerName = useProviderName()
  const { role } = useAccount()
  const sum = (cents: number | null) => cents !== null && format.money(cents)
  return (
    <Dialog onClose={close} title={useWords(kindWords)[one.kind]} size="lg">
      <Stack>
        <Text size="sm">{inWords(one.detail)}</Text>
        <Facts
          items={[
            [t.between, useWords(pairWords)[one.between]],
            [t.tenant, one.tenant_id && role !== 'client' && <TenantName key="t" id={one.tenant_id} />],
            [t.code, one.payment_code && <Copied key="c" value={one.payment_code} what={t.code} />],
            [t.reference, <Copied key="r" value={one.reference} what={t.reference} />],
            [t.provider, providerName(one.provider)],
            [t.theirId, one.provider_payment_id],
            [t.ourStatus, one.our_status && statusIn(one.our_status)],
            [t.ourAmount, sum(one.our_amount)],
            [t.ledgerAmount, sum(one.ledger_amount)],
            [t.theirStatus, one.their_status && statusIn(one.their_status)],
            [t.theirAmount, sum(one.their_amount)],
          ].map(([name, value]) => [name as string, value === false ? null : value])}
        />
        {one.payment_id && role === 'client' && (
          <ButtonLink to="/payments/$paymentId" params={{ paymentId: one.payment_id }} variant="default">
            {t.show}
          </ButtonLink>
        )}
      </Stack>
    </Dialog>
  )
}
