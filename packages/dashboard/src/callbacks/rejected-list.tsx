import { Anchor, Stack, Text } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { type Inputs, trpc } from '../api/trpc.ts'
import { useWords, words } from '../language/language.tsx'
import { Facts } from '../parts/facts.tsx'
import { Moment } from '../parts/moment.tsx'
import { Panel } from '../parts/panel.tsx'
import { Sheet } from '../parts/sheet.tsx'
import { Empty } from '../parts/states.tsx'
import { useProviderName } from '../payments/provider-name.ts'
import { AccountName } from '../provider-accounts/account-name.tsx'
import { useMode } from '../shell/mode.ts'
import { type Column, DataTable } from '../table/data-table.tsx'
import { nextPage, PAGE_SIZE, useEndless } from '../table/endless.ts'
import { ListCount, loaded } from '../table/list-count.tsx'
import { CallbackFilters } from './callback-filters.tsx'
import type { Rejected } from './callback-words.ts'
import { SentParts } from './sent-parts.tsx'
import { useRejection } from './use-rejection.ts'

const text = words({
  en: {
    label: 'Rejected callbacks',
    about:
      'These callbacks failed verification, so they were not processed. If many callbacks are rejected after you replace credentials, check that the account and the provider use the same credentials. For each account, Gapura keeps the latest 200 rejected callbacks.',
    title: 'Rejected callback',
    received: 'Received',
    provider: 'Provider',
    account: 'Account',
    reason: 'Reason',
    none: 'No rejected callbacks',
    count: (count: number, written: string) => (count === 1 ? '1 callback' : `${written} callbacks`),
    how: 'Callbacks that fail verification appear here, for example forged callbacks or callbacks signed with other credentials.',
  },
  id: {
    label: 'Callback yang ditolak',
    about:
      'Callback ini gagal diverifikasi, sehingga tidak diproses. Jika banyak callback ditolak setelah kredensial diganti, pastikan akun dan penyedia memakai kredensial yang sama. Untuk setiap akun, Gapura menyimpan 200 callback terbaru yang ditolak.',
    title: 'Callback yang ditolak',
    received: 'Diterima',
    provider: 'Penyedia',
    account: 'Akun',
    reason: 'Alasan',
    none: 'Tidak ada callback yang ditolak',
    count: (_: number, written: string) => `${written} callback`,
    how: 'Callback yang gagal diverifikasi muncul di sini, misalnya callback palsu atau callback yang ditandatangani dengan kredensial lain.',
  },
})

export function RejectedList() {
  const t = useWords(text)
  const providerName = useProviderName()
  const rejectionIn = useRejection()
  const { provider } = useSearch({ from: '/inside/callbacks' })
  const [mode] = useMode()
  const [open, setOpen] = useState<Rejected>()
  const filters: Inputs['callbacks']['rejected'] = {
    ...(provider && { provider }),
    mode,
    limit: PAGE_SIZE,
  }
  const list = useEndless(useInfiniteQuery(trpc.callbacks.rejected.infiniteQueryOptions(filters, nextPage)))
  return (
    <Stack>
      <Text size="sm" c="dimmed">
        {t.about}
      </Text>
      <CallbackFilters isRejected />
      <ListCount total={loaded(list)} inWords={t.count} />
      <Panel isFlush>
        <DataTable
          label={t.label}
          columns={useColumns(setOpen)}
          {...list}
          rowKey={({ id }) => id}
          onOpen={setOpen}
          empty={<Empty title={t.none}>{t.how}</Empty>}
        />
      </Panel>
      <Sheet isOpen={open !== undefined} close={() => setOpen(undefined)} title={t.title}>
        {open && (
          <Stack>
            <Facts
              items={[
                [t.reason, rejectionIn(open.reason)],
                [t.received, <Moment key="received" at={open.received_at} />],
                [t.provider, providerName(open.provider)],
                [t.account, <AccountName key="account" id={open.provider_account_id} />],
              ]}
            />
            <SentParts sent={open} />
          </Stack>
        )}
      </Sheet>
    </Stack>
  )
}

function useColumns(open: (rejected: Rejected) => void): Column<Rejected>[] {
  const t = useWords(text)
  const rejectionIn = useRejection()
  const providerName = useProviderName()
  return [
    {
      id: 'received',
      header: t.received,
      share: 1.4,
      cell: rejected => (
        <Anchor component="button" type="button" inherit onClick={() => open(rejected)}>
          <Moment at={rejected.received_at} />
        </Anchor>
      ),
    },
    {
      id: 'provider',
      header: t.provider,
      share: 1,
      hidden: 'phone',
      cell: ({ provider }) => providerName(provider),
    },
    {
      id: 'account',
      header: t.account,
      share: 1.8,
      hidden: 'tablet',
      cell: ({ provider_account_id }) => <AccountName id={provider_account_id} />,
    },
    {
      id: 'reason',
      header: t.reason,
      share: 2,
      cell: ({ reason }) => <span title={reason}>{rejectionIn(reason)}</span>,
    },
  ]
}
