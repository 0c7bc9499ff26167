import { Alert } from '@mantine/core'
import { IconCircleCheck } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { trpc } from '../api/trpc.ts'
import { useFormat } from '../format/format.ts'
import { useWords, words } from '../language/language.tsx'
import { Page } from '../parts/page.tsx'
import { Panel } from '../parts/panel.tsx'
import { Empty } from '../parts/states.tsx'
import { useProviderName } from '../payments/provider-name.ts'
import { useMode } from '../shell/mode.ts'
import { modeWords } from '../shell/mode-words.ts'
import { type Column, DataTable } from '../table/data-table.tsx'
import { OnPhone } from '../table/on-phone.tsx'
import { CircuitTag } from './circuit-tag.tsx'
import type { Health } from './circuit-words.ts'
import { Trouble } from './trouble.tsx'

const text = words({
  en: {
    title: 'Provider health',
    about:
      'How each provider account handled new payments in the last minute. This page updates automatically.',
    well: 'All accounts are accepting payments.',
    account: 'Account',
    provider: 'Provider',
    state: 'Health',
    calls: 'Charges',
    failed: 'Failed',
    slow: 'Slow',
    latency: 'Response time (p95)',
    none: 'No provider accounts yet',
    how: 'Add a provider account to see its health here.',
  },
  id: {
    title: 'Kondisi penyedia',
    about:
      'Penanganan pembayaran baru oleh setiap akun penyedia selama satu menit terakhir. Halaman ini diperbarui otomatis.',
    well: 'Semua akun menerima pembayaran.',
    account: 'Akun',
    provider: 'Penyedia',
    state: 'Kondisi',
    calls: 'Penagihan',
    failed: 'Gagal',
    slow: 'Lambat',
    latency: 'Waktu respons (p95)',
    none: 'Belum ada akun penyedia',
    how: 'Tambahkan akun penyedia. Kondisinya lalu muncul di sini.',
  },
})

/**
 * The refresh interval of this page, in milliseconds. It is short because a circuit breaker opens within a
 * second of failures. Operators then watch this page until the circuit breaker closes.
 */
const REFRESH_EVERY_MS = 2_000

const severity: Record<Health['circuit'], number> = { open: 0, half_open: 1, closed: 2 }

export function ProviderHealthPage() {
  const t = useWords(text)
  const [mode] = useMode()
  const { data, error, refetch } = useQuery(
    trpc.providers.health.queryOptions(
      {},
      {
        refetchInterval: REFRESH_EVERY_MS,
        // Provider accounts whose circuit breaker is open come first. All other accounts keep their order.
        select: ({ items }) =>
          items
            .filter(account => account.mode === mode)
            .toSorted((a, b) => severity[a.circuit] - severity[b.circuit]),
      },
    ),
  )
  const troubled = data?.filter(({ circuit }) => circuit !== 'closed')
  return (
    <Page title={t.title} description={t.about}>
      <div role="status">
        {data && data.length > 0 && troubled?.length === 0 && (
          <Alert icon={<IconCircleCheck />} color="gapura" title={t.well} />
        )}
        {troubled?.map(health => (
          <Trouble key={health.account_id} health={health} />
        ))}
      </div>
      <Panel isFlush>
        <DataTable
          label={t.title}
          columns={useColumns()}
          rows={data}
          rowKey={({ account_id }) => account_id}
          {...(error && !data && { error, retry: () => void refetch() })}
          empty={<Empty title={t.none}>{t.how}</Empty>}
        />
      </Panel>
    </Page>
  )
}

function useColumns(): Column<Health>[] {
  const t = useWords(text)
  const format = useFormat()
  const providerName = useProviderName()
  const modes = useWords(modeWords)
  return [
    {
      id: 'account',
      header: t.account,
      share: 2.6,
      cell: ({ name, mode, provider_code }) => (
        <>
          <span title={name}>{name}</span>
          <OnPhone>
            {modes[mode]} · {providerName(provider_code)}
          </OnPhone>
        </>
      ),
    },
    {
      id: 'provider',
      header: t.provider,
      share: 1.2,
      hidden: 'phone',
      cell: ({ provider_code }) => providerName(provider_code),
    },
    { id: 'state', header: t.state, share: 1.5, cell: health => <CircuitTag health={health} /> },
    {
      id: 'calls',
      header: t.calls,
      share: 0.7,
      align: 'end',
      hidden: 'phone',
      cell: ({ calls }) => format.count(calls),
    },
    {
      id: 'failed',
      header: t.failed,
      share: 1,
      align: 'end',
      hidden: 'phone',
      cell: ({ failures, failure_rate }) =>
        failures === 0 ? format.count(0) : `${format.count(failures)} (${format.percent(failure_rate ?? 0)})`,
    },
    {
      id: 'slow',
      header: t.slow,
      share: 0.7,
      align: 'end',
      hidden: 'tablet',
      cell: ({ slow }) => format.count(slow),
    },
    {
      id: 'latency',
      header: t.latency,
      share: 1.2,
      align: 'end',
      hidden: 'tablet',
      cell: ({ p95_latency_ms }) => (p95_latency_ms === null ? '–' : `${format.count(p95_latency_ms)} ms`),
    },
  ]
}
