import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { type Outputs, trpc } from '../api/trpc.ts'
import { dayIn, useFormat } from '../format/format.ts'
import { useWords, words } from '../language/language.tsx'
import { ExportButtons } from '../parts/export-buttons.tsx'
import { TextLink } from '../parts/links.tsx'
import { Moment } from '../parts/moment.tsx'
import { Page } from '../parts/page.tsx'
import { Panel } from '../parts/panel.tsx'
import { Empty } from '../parts/states.tsx'
import { Tag } from '../parts/tag.tsx'
import { useIsPermitted } from '../session/account.ts'
import { useMode } from '../shell/mode.ts'
import { type Column, DataTable } from '../table/data-table.tsx'
import { nextPage, PAGE_SIZE, useEndless } from '../table/endless.ts'
import { counted, countOptions, ListCount } from '../table/list-count.tsx'
import { OnPhone } from '../table/on-phone.tsx'
import { useSorting } from '../table/order.ts'
import { TwoLines } from '../table/two-lines.tsx'
import { Balance } from './balance.tsx'
import { EntrySum } from './entry-sum.tsx'
import { entryTones, entryWords } from './entry-words.ts'
import classes from './ledger-page.module.css'
import { SealPanel } from './seal-panel.tsx'
import { useMovementWords } from './use-movement.ts'

const text = words({
  en: {
    title: 'Ledger',
    what: 'Every change to your balance. Entries are never changed; a correction is a new entry.',
    balance: { live: 'Live balance', test: 'Test balance' },
    entries: 'Entries',
    count: (count: number, written: string) => (count === 1 ? '1 entry' : `${written} entries`),
    payment: 'Payment, time',
    type: 'Type',
    amount: 'Amount',
    after: 'Balance after',
    reason: 'Description',
    none: { live: 'No live entries yet', test: 'No test entries yet' },
    how: 'When a payment is paid, its amount is credited to your balance.',
  },
  id: {
    title: 'Buku besar',
    what: 'Semua mutasi saldo Anda. Mutasi tidak pernah diubah; koreksi dicatat sebagai mutasi baru.',
    balance: { live: 'Saldo live', test: 'Saldo uji coba' },
    entries: 'Mutasi',
    count: (_: number, written: string) => `${written} mutasi`,
    payment: 'Pembayaran, waktu',
    type: 'Jenis',
    amount: 'Jumlah',
    after: 'Saldo akhir',
    reason: 'Keterangan',
    none: { live: 'Belum ada mutasi live', test: 'Belum ada mutasi uji coba' },
    how: 'Saat pembayaran lunas, jumlahnya dikreditkan di sini.',
  },
})

export function LedgerPage() {
  const t = useWords(text)
  const [mode] = useMode()
  const mayExport = useIsPermitted('finance')
  const sorting = useSorting()
  const { order } = sorting
  const { data: count } = useQuery(trpc.account.entries.queryOptions({ mode, ...counted }, countOptions))
  const list = useEndless(
    useInfiniteQuery(trpc.account.entries.infiniteQueryOptions({ mode, order, limit: PAGE_SIZE }, nextPage)),
  )
  return (
    <Page
      title={t.title}
      description={t.what}
      actions={
        mayExport && (
          <ExportButtons
            path={`/v1/account/ledger?mode=${mode}&order=${order}`}
            name={`gapura-ledger-${mode}-${dayIn(new Date())}`}
          />
        )
      }
    >
      <div className={classes.top}>
        <Panel title={t.balance[mode]}>
          <Balance mode={mode} largest="1.75rem" />
        </Panel>
        <SealPanel mode={mode} />
      </div>
      <Panel title={t.entries} isFlush>
        {list.rows && <ListCount total={count?.total} inWords={t.count} isInPanel />}
        <DataTable
          label={t.entries}
          columns={useColumns()}
          {...list}
          sorting={sorting}
          rowKey={({ id }) => id}
          empty={<Empty title={t.none[mode]}>{t.how}</Empty>}
        />
      </Panel>
    </Page>
  )
}

type AccountEntry = Outputs['account']['entries']['items'][number]

function useColumns(): Column<AccountEntry>[] {
  const t = useWords(text)
  const types = useWords(entryWords)
  const inWords = useMovementWords()
  const format = useFormat()
  return [
    {
      id: 'payment',
      header: t.payment,
      isSorted: true,
      share: 2.2,
      cell: ({ payment_id, reference_id, created_at }) => (
        <TwoLines
          top={
            payment_id === null ? (
              <span className="mono">{reference_id}</span>
            ) : (
              <TextLink to="/payments/$paymentId" params={{ paymentId: payment_id }} className="mono">
                {reference_id}
              </TextLink>
            )
          }
          below={<Moment at={created_at} />}
        />
      ),
    },
    {
      id: 'reason',
      header: t.reason,
      share: 3,
      hidden: 'tablet',
      cell: ({ reason }) => {
        const { what, why } = inWords(reason)
        return why ? <TwoLines top={what} below={why} isWhole /> : what
      },
    },
    {
      id: 'type',
      header: t.type,
      hidden: 'phone',
      cell: ({ entry_type }) => <Tag tone={entryTones[entry_type]}>{types[entry_type]}</Tag>,
    },
    {
      id: 'amount',
      header: t.amount,
      share: 1.4,
      align: 'end',
      cell: entry => (
        <>
          <EntrySum entry={entry} />
          <OnPhone>{inWords(entry.reason).what}</OnPhone>
        </>
      ),
    },
    {
      id: 'after',
      header: t.after,
      share: 1.5,
      align: 'end',
      hidden: 'phone',
      cell: ({ balance_after }) => format.money(balance_after),
    },
  ]
}
