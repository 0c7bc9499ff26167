import { Anchor, Stack } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { trpc } from '../api/trpc.ts'
import { useFormat } from '../format/format.ts'
import { useWords, words } from '../language/language.tsx'
import { Moment } from '../parts/moment.tsx'
import { Panel } from '../parts/panel.tsx'
import { Empty } from '../parts/states.tsx'
import { useFailureWords } from '../payments/use-failure.ts'
import { useMode } from '../shell/mode.ts'
import { type Column, DataTable } from '../table/data-table.tsx'
import { nextPage, PAGE_SIZE, useEndless } from '../table/endless.ts'
import { ListCount, loaded } from '../table/list-count.tsx'
import { OnPhone } from '../table/on-phone.tsx'
import { ChallengedDrawer } from './challenged-drawer.tsx'
import type { Challenged } from './inbox-words.ts'

const text = words({
  en: {
    label: 'Challenged payments',
    code: 'Payment',
    tenant: 'Tenant',
    amount: 'Amount',
    reason: 'Reason',
    since: 'Waiting since',
    none: 'No challenged payments',
    count: (count: number, written: string) => (count === 1 ? '1 payment' : `${written} payments`),
    how: 'A payment appears here if its provider doubts that it is genuine, for example because of suspected fraud. Accept or reject the payment. Underpaid payments are under “Unexpected money”.',
  },
  id: {
    label: 'Pembayaran perlu ditinjau',
    code: 'Pembayaran',
    tenant: 'Tenant',
    amount: 'Jumlah',
    reason: 'Alasan',
    since: 'Menunggu sejak',
    none: 'Tidak ada pembayaran yang perlu ditinjau',
    count: (_: number, written: string) => `${written} pembayaran`,
    how: 'Pembayaran muncul di sini jika diragukan oleh penyedia, misalnya karena dugaan penipuan. Terima atau tolak pembayaran tersebut. Pembayaran yang kurang bayar ada di “Dana tak terduga”.',
  },
})

export function ChallengedList() {
  const t = useWords(text)
  const [open, setOpen] = useState<Challenged>()
  const [mode] = useMode()
  const list = useEndless(
    useInfiniteQuery(trpc.challengedPayments.list.infiniteQueryOptions({ mode, limit: PAGE_SIZE }, nextPage)),
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
        <ChallengedDrawer
          payment={list.rows?.find(({ payment_id }) => payment_id === open?.payment_id) ?? open}
          close={() => setOpen(undefined)}
        />
      </Panel>
    </Stack>
  )
}

function useColumns(open: (payment: Challenged) => void): Column<Challenged>[] {
  const t = useWords(text)
  const format = useFormat()
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
          <OnPhone>{payment.tenant_name}</OnPhone>
        </>
      ),
    },
    {
      id: 'tenant',
      header: t.tenant,
      share: 1.4,
      hidden: 'phone',
      cell: ({ tenant_name }) => <span title={tenant_name}>{tenant_name}</span>,
    },
    {
      id: 'reason',
      header: t.reason,
      share: 2,
      hidden: 'tablet',
      cell: ({ failure_reason }) => failure_reason && <Reason of={failure_reason} />,
    },
    {
      id: 'amount',
      header: t.amount,
      share: 1,
      align: 'end',
      cell: ({ amount, updated_at }) => (
        <>
          {format.money(amount)}
          <OnPhone>
            <Moment at={updated_at} />
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
      cell: ({ updated_at }) => <Moment at={updated_at} />,
    },
  ]
}

function Reason({ of: reason }: { of: string }) {
  const shown = useFailureWords()(reason)
  return <span title={shown}>{shown}</span>
}
