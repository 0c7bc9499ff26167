import { Anchor, Stack } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { trpc } from '../api/trpc.ts'
import { useFormat } from '../format/format.ts'
import { useWords, words } from '../language/language.tsx'
import { Moment } from '../parts/moment.tsx'
import { Panel } from '../parts/panel.tsx'
import { Empty } from '../parts/states.tsx'
import { Tag } from '../parts/tag.tsx'
import { useProviderName } from '../payments/provider-name.ts'
import { useMode } from '../shell/mode.ts'
import { type Column, DataTable } from '../table/data-table.tsx'
import { nextPage, PAGE_SIZE, useEndless } from '../table/endless.ts'
import { ListCount, loaded } from '../table/list-count.tsx'
import { OnPhone } from '../table/on-phone.tsx'
import type { Unknown } from './inbox-words.ts'
import { UnknownDrawer } from './unknown-drawer.tsx'

const text = words({
  en: {
    label: 'Charges with an unknown outcome',
    code: 'Payment',
    provider: 'Provider',
    state: 'Status',
    waits: 'Needs decision',
    asking: 'Checking',
    amount: 'Amount',
    since: 'Since',
    none: 'No unknown outcomes',
    count: (count: number, written: string) => (count === 1 ? '1 charge' : `${written} charges`),
    how: 'A charge appears here if the provider did not confirm whether it succeeded. Gapura sends status inquiries to the provider for 72 hours. After that, you decide.',
  },
  id: {
    label: 'Penagihan dengan hasil tidak diketahui',
    code: 'Pembayaran',
    provider: 'Penyedia',
    state: 'Status',
    waits: 'Perlu keputusan',
    asking: 'Sedang diperiksa',
    amount: 'Jumlah',
    since: 'Sejak',
    none: 'Semua hasil sudah diketahui',
    count: (_: number, written: string) => `${written} penagihan`,
    how: 'Penagihan muncul di sini jika hasilnya tidak dikonfirmasi oleh penyedia. Gapura memeriksanya di penyedia selama 72 jam. Setelah itu, Anda yang memutuskan.',
  },
})

export function UnknownList() {
  const t = useWords(text)
  const [open, setOpen] = useState<Unknown>()
  const [mode] = useMode()
  const list = useEndless(
    useInfiniteQuery(trpc.unknownPayments.list.infiniteQueryOptions({ mode, limit: PAGE_SIZE }, nextPage)),
  )
  return (
    <Stack>
      <ListCount total={loaded(list)} inWords={t.count} />
      <Panel isFlush>
        <DataTable
          label={t.label}
          columns={useColumns(setOpen)}
          {...list}
          rowKey={({ payment_id }) => payment_id}
          onOpen={setOpen}
          empty={<Empty title={t.none}>{t.how}</Empty>}
        />
        <UnknownDrawer
          payment={list.rows?.find(({ payment_id }) => payment_id === open?.payment_id) ?? open}
          close={() => setOpen(undefined)}
        />
      </Panel>
    </Stack>
  )
}

function useColumns(open: (payment: Unknown) => void): Column<Unknown>[] {
  const t = useWords(text)
  const format = useFormat()
  const providerName = useProviderName()
  return [
    {
      id: 'code',
      header: t.code,
      share: 1.7,
      cell: payment => (
        <>
          <Anchor component="button" type="button" className="mono" onClick={() => open(payment)}>
            {payment.payment_code}
          </Anchor>
          <OnPhone>{payment.waits_for_operator ? t.waits : t.asking}</OnPhone>
        </>
      ),
    },
    {
      id: 'state',
      header: t.state,
      share: 1.4,
      hidden: 'phone',
      cell: ({ waits_for_operator }) => (
        <Tag tone={waits_for_operator ? 'doubt' : 'waiting'}>{waits_for_operator ? t.waits : t.asking}</Tag>
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
      id: 'amount',
      header: t.amount,
      share: 1,
      align: 'end',
      cell: ({ amount, since }) => (
        <>
          {format.money(amount)}
          <OnPhone>
            <Moment at={since} />
          </OnPhone>
        </>
      ),
    },
    {
      id: 'since',
      header: t.since,
      share: 1.5,
      align: 'end',
      hidden: 'phone',
      cell: ({ since }) => <Moment at={since} />,
    },
  ]
}
