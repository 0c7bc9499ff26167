import { previewRouteInput } from '@gapura/server/route-input'
import { Group, SegmentedControl, Stack, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { trpc } from '../api/trpc.ts'
import { useWords, words } from '../language/language.tsx'
import { Panel } from '../parts/panel.tsx'
import { Failure } from '../parts/states.tsx'
import { type Mode, useMode } from '../shell/mode.ts'
import type { Tenant } from '../tenants/tenant-words.ts'
import type { KnownAccount } from './known-accounts.ts'
import { RouteCandidates } from './route-candidates.tsx'
import { type SamplePayment, SamplePaymentFields } from './sample-payment.tsx'

const text = words({
  en: {
    title: 'Which account would receive this payment?',
    about:
      'The preview uses the saved routing rules and the current health of the providers. It does not create a payment.',
    mode: 'Mode',
    live: 'Live',
    test: 'Test',
    fill: 'Choose a channel and enter an amount.',
  },
  id: {
    title: 'Akun mana yang akan menerima pembayaran ini?',
    about:
      'Pratinjau memakai aturan perutean yang tersimpan dan kondisi penyedia saat ini. Tidak ada pembayaran yang dibuat.',
    mode: 'Mode',
    live: 'Live',
    test: 'Uji coba',
    fill: 'Pilih kanal dan isi jumlah.',
  },
})

/** The initial amount is Rp 100,000, which every channel accepts. */
const FIRST_AMOUNT_CENTS = 10_000_000

export function RoutePreview({ tenant, accounts }: { tenant: Tenant; accounts: readonly KnownAccount[] }) {
  const t = useWords(text)
  const [shellMode] = useMode()
  const [mode, setMode] = useState<Mode>(shellMode)
  const [payment, setPayment] = useState<SamplePayment>({
    method_type: 'virtual_account',
    channel: 'bca',
    amount: FIRST_AMOUNT_CENTS,
  })
  const [asked] = useDebouncedValue({ mode, ...payment }, 250)
  const parsed = previewRouteInput.safeParse(asked)
  const { data, error, refetch } = useQuery(
    trpc.routes.preview.queryOptions(
      {
        tenant_id: tenant.id,
        ...(parsed.data ?? { mode, method_type: payment.method_type, channel: '-', amount: 1 }),
      },
      { enabled: parsed.success, placeholderData: keepPreviousData },
    ),
  )
  return (
    <Panel title={t.title}>
      <Stack>
        <Text size="sm" c="dimmed">
          {t.about}
        </Text>
        <Group align="flex-end" gap="sm">
          <SegmentedControl<Mode>
            aria-label={t.mode}
            value={mode}
            onChange={setMode}
            data={[
              { value: 'live', label: t.live },
              { value: 'test', label: t.test },
            ]}
          />
          <SamplePaymentFields payment={payment} onChange={setPayment} />
        </Group>
        <div aria-live="polite">
          {!parsed.success && <Text size="sm">{t.fill}</Text>}
          {parsed.success && error && <Failure error={error} retry={() => void refetch()} />}
          {parsed.success && !error && data && (
            <RouteCandidates candidates={data.items} accounts={accounts} />
          )}
        </div>
      </Stack>
    </Panel>
  )
}
