import { previewRouteInput } from '@gapura/server/route-input'
import { Group, SegmentedControl, Select, Stack, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { trpc } from '../api/trpc.ts'
import { useWords, words } from '../language/language.tsx'
import { Panel } from '../parts/panel.tsx'
import { RupiahInput } from '../parts/rupiah-input.tsx'
import { Failure } from '../parts/states.tsx'
import { type MethodType, methodTypes, methodWords } from '../payments/payment-words.ts'
import { type Mode, useMode } from '../shell/mode.ts'
import type { Tenant } from '../tenants/tenant-words.ts'
import type { KnownAccount } from './known-accounts.ts'
import { useOfferedChannels, withChosen } from './offered-channels.ts'
import { RouteCandidates } from './route-candidates.tsx'

const text = words({
  en: {
    title: 'Which account would receive this payment?',
    about: 'Uses the saved rules and the current health of the providers. No payment is created.',
    mode: 'Mode',
    live: 'Live',
    test: 'Test',
    method: 'Method',
    channel: 'Channel',
    amount: 'Amount',
    fill: 'Choose a channel and enter an amount.',
  },
  id: {
    title: 'Akun mana yang akan menerima pembayaran ini?',
    about: 'Memakai aturan yang tersimpan dan kondisi penyedia saat ini. Tidak ada pembayaran yang dibuat.',
    mode: 'Mode',
    live: 'Live',
    test: 'Uji coba',
    method: 'Metode',
    channel: 'Kanal',
    amount: 'Jumlah',
    fill: 'Pilih kanal dan isi jumlah.',
  },
})

/** The initial amount is Rp 100,000, which every channel accepts. */
const FIRST_AMOUNT_CENTS = 10_000_000

export function RoutePreview({ tenant, accounts }: { tenant: Tenant; accounts: readonly KnownAccount[] }) {
  const t = useWords(text)
  const methods = useWords(methodWords)
  const channelsOf = useOfferedChannels()
  const [shellMode] = useMode()
  const [mode, setMode] = useState<Mode>(shellMode)
  const [method, setMethod] = useState<MethodType>('virtual_account')
  const [channel, setChannel] = useState('bca')
  const [amount, setAmount] = useState<number | null>(FIRST_AMOUNT_CENTS)
  const [asked] = useDebouncedValue({ mode, method_type: method, channel, amount }, 250)
  const parsed = previewRouteInput.safeParse(asked)
  const { data, error, refetch } = useQuery(
    trpc.routes.preview.queryOptions(
      { tenant_id: tenant.id, ...(parsed.data ?? { mode, method_type: method, channel: '-', amount: 1 }) },
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
          <Select
            label={t.method}
            allowDeselect={false}
            data={methodTypes.map(value => ({ value, label: methods[value] }))}
            value={method}
            onChange={chosen => {
              if (!chosen) return
              setMethod(chosen as MethodType)
              setChannel(channelsOf(null, chosen)[0]?.value ?? (chosen === 'qris' ? 'qris' : ''))
            }}
            w={180}
          />
          {method !== 'qris' && (
            <Select
              label={t.channel}
              allowDeselect={false}
              searchable
              data={withChosen(channelsOf(null, method), channel)}
              value={channel}
              onChange={chosen => chosen && setChannel(chosen)}
              w={150}
            />
          )}
          <RupiahInput label={t.amount} value={amount} onChange={setAmount} w={180} />
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
