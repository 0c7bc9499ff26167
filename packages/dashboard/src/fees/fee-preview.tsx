import { feePreviewInput } from '@gapura/server/fee-input'
import { Group, Stack, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type Outputs, trpc } from '../api/trpc.ts'
import { useFormat } from '../format/format.ts'
import { useWords, words } from '../language/language.tsx'
import { Facts } from '../parts/facts.tsx'
import { Panel } from '../parts/panel.tsx'
import { Failure } from '../parts/states.tsx'
import { type SamplePayment, SamplePaymentFields } from '../routing/sample-payment.tsx'
import { useFeeFormula } from './fee-formula.ts'

const text = words({
  en: {
    title: 'What would a payment cost?',
    about: 'Calculates a payment’s fee with the current fees. No payment is created.',
    fill: 'Choose a channel and enter an amount.',
    free: 'This payment has no fee.',
    fee: 'Fee',
    net: 'Before tax (DPP)',
    tax: 'Tax (PPN)',
    received: 'Credited after the fee',
    formula: 'Formula',
    operator: 'Operator’s part',
    partner: 'Partner’s part',
  },
  id: {
    title: 'Berapa biaya sebuah pembayaran?',
    about: 'Dihitung dengan biaya yang berlaku saat ini. Tidak ada pembayaran yang dibuat.',
    fill: 'Pilih kanal dan isi jumlah.',
    free: 'Pembayaran ini tidak dikenai biaya.',
    fee: 'Biaya',
    net: 'Sebelum pajak (DPP)',
    tax: 'Pajak (PPN)',
    received: 'Diterima setelah biaya',
    formula: 'Rumus',
    operator: 'Bagian operator',
    partner: 'Bagian mitra',
  },
})

/** The initial payment amount in the fee preview: Rp 150,000, in cents. */
const FIRST_AMOUNT_CENTS = 15_000_000

type Preview = Outputs['fees']['previewOwn'] & Partial<Outputs['fees']['previewOfTenant']>

/**
 * Shows the fee that a payment would have if the tenant created the payment now. If `tenantId` is not set,
 * the tenant is the user's own tenant.
 */
export function FeePreview({ tenantId }: { tenantId?: string }) {
  const t = useWords(text)
  const [payment, setPayment] = useState<SamplePayment>({
    method_type: 'virtual_account',
    channel: 'bca',
    amount: FIRST_AMOUNT_CENTS,
  })
  const [asked] = useDebouncedValue(payment, 250)
  const parsed = feePreviewInput.safeParse(asked)
  const input = parsed.data ?? { method_type: payment.method_type, channel: '-', amount: 1 }
  const own = useQuery(
    trpc.fees.previewOwn.queryOptions(input, {
      enabled: parsed.success && tenantId === undefined,
      placeholderData: keepPreviousData,
    }),
  )
  const ofTenant = useQuery(
    trpc.fees.previewOfTenant.queryOptions(
      { tenant_id: tenantId ?? '', ...input },
      { enabled: parsed.success && tenantId !== undefined, placeholderData: keepPreviousData },
    ),
  )
  const { data, error, refetch } = tenantId === undefined ? own : ofTenant
  return (
    <Panel title={t.title}>
      <Stack>
        <Text size="sm" c="dimmed">
          {t.about}
        </Text>
        <Group align="flex-end" gap="sm">
          <SamplePaymentFields payment={payment} onChange={setPayment} />
        </Group>
        <div aria-live="polite">
          {!parsed.success && <Text size="sm">{t.fill}</Text>}
          {parsed.success && error && <Failure error={error} retry={() => void refetch()} />}
          {parsed.success && !error && data && <Result preview={data} />}
        </div>
      </Stack>
    </Panel>
  )
}

function Result({ preview }: { preview: Preview }) {
  const t = useWords(text)
  const { money } = useFormat()
  const formula = useFeeFormula()
  if (preview.formula === null || preview.fee === 0) return <Text size="sm">{t.free}</Text>
  const sum = (cents: number) => <span className="figures">{money(cents)}</span>
  const { operator_fee, partner_margin } = preview
  return (
    <Facts
      items={[
        [t.fee, <strong key="fee">{sum(preview.fee)}</strong>],
        [t.net, sum(preview.net)],
        [t.tax, sum(preview.tax)],
        [t.received, sum(preview.received)],
        [t.formula, formula(preview.formula)],
        [t.operator, partner_margin !== undefined && partner_margin > 0 && sum(operator_fee ?? 0)],
        [t.partner, partner_margin !== undefined && partner_margin > 0 && sum(partner_margin)],
      ]}
    />
  )
}
