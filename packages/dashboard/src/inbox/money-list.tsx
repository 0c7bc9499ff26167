import { Anchor, SegmentedControl, Stack } from '@mantine/core'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { trpc } from '../api/trpc.ts'
import { useFormat } from '../format/format.ts'
import { useWords, words } from '../language/language.tsx'
import { Moment } from '../parts/moment.tsx'
import { Panel } from '../parts/panel.tsx'
import { Empty } from '../parts/states.tsx'
import { Tag } from '../parts/tag.tsx'
import { useMode } from '../shell/mode.ts'
import { type Column, DataTable } from '../table/data-table.tsx'
import { nextPage, PAGE_SIZE, useEndless } from '../table/endless.ts'
import { counted, countOptions, ListCount } from '../table/list-count.tsx'
import { OnPhone } from '../table/on-phone.tsx'
import { useSorting } from '../table/order.ts'
import { TenantName } from '../tenants/tenant-name.tsx'
import { kindWords, type Money, moneyStatuses, moneyStatusWords, moneyTones } from './inbox-words.ts'
import { MoneyDrawer } from './money-drawer.tsx'
import classes from './money-list.module.css'

const text = words({
  en: {
    label: 'Unexpected money',
    status: 'Status',
    all: 'All',
    kind: 'Type',
    reference: 'Reference',
    tenant: 'Tenant',
    unknown: 'Unknown',
    amount: 'Amount',
    expected: 'Agreed',
    recorded: 'Recorded',
    unreported: 'Not reported',
    none: {
      open: 'No open items',
      accepted: 'No accepted items yet',
      refunded: 'No refunded items yet',
      dismissed: 'No dismissed items yet',
    },
    noneAtAll: 'No unexpected money yet',
    count: (count: number, written: string) => (count === 1 ? '1 item' : `${written} items`),
    how: 'Money that needs your decision appears here: overpayments, underpayments, late or duplicate payments, unknown references, reversals, refunds and chargebacks.',
  },
  id: {
    label: 'Dana tak terduga',
    status: 'Status',
    all: 'Semua',
    kind: 'Jenis',
    reference: 'Referensi',
    tenant: 'Tenant',
    unknown: 'Tidak diketahui',
    amount: 'Jumlah',
    expected: 'Disepakati',
    recorded: 'Dicatat',
    unreported: 'Tidak dilaporkan',
    none: {
      open: 'Tidak ada yang perlu diputuskan',
      accepted: 'Belum ada yang diterima',
      refunded: 'Belum ada yang dikembalikan',
      dismissed: 'Belum ada yang diabaikan',
    },
    noneAtAll: 'Belum ada dana tak terduga',
    count: (_: number, written: string) => `${written} catatan`,
    how: 'Dana yang memerlukan keputusan Anda muncul di sini: lebih bayar, kurang bayar, pembayaran terlambat atau ganda, referensi tidak dikenal, penarikan kembali, pengembalian dana, dan chargeback.',
  },
})

const ALL = 'all'

export function MoneyList() {
  const t = useWords(text)
  const statusNames = useWords(moneyStatusWords)
  const search = useSearch({ from: '/inside/inbox' })
  const navigate = useNavigate({ from: '/inbox' })
  const [openId, setOpenId] = useState<string>()
  const shown = search.status === ALL ? ALL : (moneyStatuses.find(each => each === search.status) ?? 'open')
  const columns = useColumns(setOpenId)
  const [mode] = useMode()
  const filters = { ...(shown !== ALL && { status: shown }), mode }
  const sorting = useSorting()
  const { order } = sorting
  const { data: count } = useQuery(
    trpc.unexpectedMoney.list.queryOptions({ ...filters, ...counted }, countOptions),
  )
  const list = useEndless(
    useInfiniteQuery(
      trpc.unexpectedMoney.list.infiniteQueryOptions({ ...filters, order, limit: PAGE_SIZE }, nextPage),
    ),
  )
  return (
    <Stack>
      <SegmentedControl
        aria-label={t.status}
        size="xs"
        maw="100%"
        classNames={{ root: classes.statuses, label: classes.status }}
        value={shown}
        onChange={status =>
          void navigate({
            search: ({ order }) => ({ order, ...(status !== 'open' && { status }) }),
            replace: true,
          })
        }
        data={[
          ...moneyStatuses.map(value => ({ value: value as string, label: statusNames[value] })),
          { value: ALL, label: t.all },
        ]}
      />
      {list.rows && <ListCount total={count?.total} inWords={t.count} />}
      <Panel isFlush>
        <DataTable
          key={shown}
          label={t.label}
          columns={columns.filter(({ id }) => id !== 'status' || shown === ALL)}
          {...list}
          sorting={sorting}
          rowKey={({ id }) => id}
          onOpen={({ id }) => setOpenId(id)}
          empty={<Empty title={shown === ALL ? t.noneAtAll : t.none[shown]}>{t.how}</Empty>}
        />
      </Panel>
      <MoneyDrawer id={openId} close={() => setOpenId(undefined)} />
    </Stack>
  )
}

function useColumns(open: (id: string) => void): Column<Money>[] {
  const t = useWords(text)
  const kinds = useWords(kindWords)
  const statuses = useWords(moneyStatusWords)
  const format = useFormat()
  return [
    {
      id: 'kind',
      header: t.kind,
      share: 1.4,
      cell: ({ id, kind, reference, created_at }) => (
        <>
          <Anchor component="button" type="button" inherit onClick={() => open(id)}>
            {kinds[kind]}
          </Anchor>
          <OnPhone>{reference}</OnPhone>
          <OnPhone>
            <Moment at={created_at} />
          </OnPhone>
        </>
      ),
    },
    {
      id: 'status',
      header: t.status,
      share: 1.1,
      hidden: 'phone',
      cell: ({ status }) => <Tag tone={moneyTones[status]}>{statuses[status]}</Tag>,
    },
    {
      id: 'tenant',
      header: t.tenant,
      share: 1.8,
      hidden: 'phone',
      cell: ({ tenant_id }) => (tenant_id ? <TenantName id={tenant_id} /> : t.unknown),
    },
    {
      id: 'reference',
      header: t.reference,
      share: 1.8,
      hidden: 'tablet',
      cell: ({ reference }) => (
        <span className="mono" title={reference}>
          {reference}
        </span>
      ),
    },
    {
      id: 'amount',
      header: t.amount,
      share: 1.1,
      align: 'end',
      cell: ({ amount, tenant_id }) => (
        <>
          {amount === 0 ? t.unreported : format.money(amount)}
          <OnPhone>{tenant_id ? <TenantName id={tenant_id} /> : t.unknown}</OnPhone>
        </>
      ),
    },
    {
      id: 'expected',
      header: t.expected,
      share: 1.1,
      align: 'end',
      hidden: 'tablet',
      cell: ({ expected_amount }) => (expected_amount === null ? '–' : format.money(expected_amount)),
    },
    {
      id: 'recorded',
      header: t.recorded,
      isSorted: true,
      share: 1.7,
      align: 'end',
      hidden: 'phone',
      cell: ({ created_at }) => <Moment at={created_at} />,
    },
  ]
}
