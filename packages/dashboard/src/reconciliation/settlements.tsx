import { Group, Select, Text } from '@mantine/core'
import { useInfiniteQuery, useQueries, useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { type Outputs, trpc } from '../api/trpc.ts'
import { useFormat } from '../format/format.ts'
import { useWords, words } from '../language/language.tsx'
import { TextLink } from '../parts/links.tsx'
import { Moment } from '../parts/moment.tsx'
import { Panel } from '../parts/panel.tsx'
import { Empty } from '../parts/states.tsx'
import { useProviderName } from '../payments/provider-name.ts'
import { useMode } from '../shell/mode.ts'
import { type Column, DataTable } from '../table/data-table.tsx'
import { nextPage, PAGE_SIZE, useEndless } from '../table/endless.ts'
import { counted, countOptions, ListCount } from '../table/list-count.tsx'
import { OnPhone } from '../table/on-phone.tsx'
import { useSorting } from '../table/order.ts'
import { SettlementExport } from './settlement-export.tsx'
import { UploadSettlement } from './upload-settlement.tsx'

type Account = Outputs['providers']['list']['items'][number]
type Settlement = Outputs['settlements']['list']['items'][number]

const text = words({
  en: {
    title: 'Settlements',
    account: 'Provider account',
    choose: 'Choose an account',
    about:
      'A settlement file (CSV) lists the payments that a provider settled on one day. Choose a provider account to view its files or to upload a file.',
    none: 'No settlement files for this account yet',
    how: 'Upload the settlement file that the provider sent for a day. That day’s reconciliation then compares the lines in the file with the payments.',
    date: 'Day',
    lines: 'Lines',
    duplicates: 'Duplicates',
    fees: 'Fees',
    amount: 'Total',
    uploaded: 'Uploaded',
    count: (count: number, written: string) => (count === 1 ? '1 file' : `${written} files`),
    export: 'Export',
  },
  id: {
    title: 'Settlement',
    account: 'Akun penyedia',
    choose: 'Pilih akun',
    about:
      'Berkas settlement (CSV) memuat pembayaran yang diselesaikan penyedia pada suatu hari. Pilih akun untuk melihat berkasnya atau mengunggah yang baru.',
    none: 'Belum ada berkas settlement untuk akun ini',
    how: 'Unggah berkas settlement dari penyedia untuk suatu tanggal. Rekonsiliasi tanggal itu lalu mencocokkan barisnya dengan pembayaran.',
    date: 'Tanggal',
    lines: 'Baris',
    duplicates: 'Ganda',
    fees: 'Biaya',
    amount: 'Total',
    uploaded: 'Diunggah',
    count: (_: number, written: string) => `${written} berkas`,
    export: 'Ekspor',
  },
})

/**
 * Shows the settlement files and lets the user upload new ones. `date` is the displayed day, and uploaded files are
 * saved for that day.
 */
export function Settlements({ date, whenUploaded }: { date: string; whenUploaded: () => void }) {
  const t = useWords(text)
  const accounts = useAccounts()
  const providerName = useProviderName()
  const { account: id } = useSearch({ from: '/inside/reconciliation' })
  const navigate = useNavigate({ from: '/reconciliation' })
  const account = accounts.find(each => each.id === id)
  return (
    <Panel title={t.title} isFlush>
      <Group px="lg" pb="md" gap="sm" align="flex-end">
        <Select
          label={t.account}
          placeholder={t.choose}
          searchable
          w={340}
          value={account?.id ?? null}
          onChange={chosen =>
            void navigate({
              search: before => ({ ...before, account: chosen ?? undefined }),
              replace: true,
              resetScroll: false,
            })
          }
          data={accounts.map(each => ({
            value: each.id,
            label: `${providerName(each.provider_code)} · ${each.name}`,
          }))}
        />
      </Group>
      {account ? (
        <>
          <UploadSettlement
            key={`${account.id} ${date}`}
            account={account}
            date={date}
            whenUploaded={whenUploaded}
          />
          <Uploaded to={account} />
        </>
      ) : (
        <Text size="sm" c="dimmed" px="lg" pb="lg">
          {t.about}
        </Text>
      )}
    </Panel>
  )
}

/** Returns the provider accounts of all providers in the current mode (live or test). */
function useAccounts(): Account[] {
  const [mode] = useMode()
  const { data: providers } = useQuery(trpc.providers.providers.queryOptions({}))
  const lists = useQueries({
    queries: (providers?.items ?? []).map(({ code }) =>
      trpc.providers.list.queryOptions({ provider_code: code, limit: 100 }),
    ),
  })
  return lists.flatMap(({ data }) => data?.items ?? []).filter(account => account.mode === mode)
}

function Uploaded({ to: { id, provider_code } }: { to: Account }) {
  const t = useWords(text)
  const account = { provider_code, account_id: id }
  const sorting = useSorting()
  const { order } = sorting
  const { data: count } = useQuery(
    trpc.settlements.list.queryOptions({ ...account, ...counted }, countOptions),
  )
  const list = useEndless(
    useInfiniteQuery(
      trpc.settlements.list.infiniteQueryOptions({ ...account, order, limit: PAGE_SIZE }, nextPage),
    ),
  )
  return (
    <>
      {list.rows && <ListCount total={count?.total} inWords={t.count} isInPanel />}
      <DataTable
        label={t.title}
        columns={useColumns({ id, provider_code })}
        {...list}
        sorting={sorting}
        rowKey={({ date }) => date}
        empty={<Empty title={t.none}>{t.how}</Empty>}
      />
    </>
  )
}

function useColumns(account: Pick<Account, 'id' | 'provider_code'>): Column<Settlement>[] {
  const t = useWords(text)
  const format = useFormat()
  return [
    {
      id: 'date',
      header: t.date,
      share: 1.2,
      cell: ({ date, uploaded_at }) => (
        <>
          <TextLink to="/reconciliation" search={before => ({ ...before, date, tab: undefined })} size="sm">
            {format.plainDay(date)}
          </TextLink>
          <OnPhone>
            <Moment at={uploaded_at} />
          </OnPhone>
        </>
      ),
    },
    {
      id: 'lines',
      header: t.lines,
      align: 'end',
      hidden: 'phone',
      cell: ({ lines }) => format.count(lines),
    },
    {
      id: 'duplicates',
      header: t.duplicates,
      align: 'end',
      hidden: 'tablet',
      cell: ({ duplicates }) => format.count(duplicates),
    },
    { id: 'fees', header: t.fees, align: 'end', hidden: 'tablet', cell: ({ fees }) => format.money(fees) },
    { id: 'amount', header: t.amount, share: 1.4, align: 'end', cell: ({ amount }) => format.money(amount) },
    {
      id: 'uploaded',
      header: t.uploaded,
      isSorted: true,
      share: 1.6,
      align: 'end',
      hidden: 'phone',
      cell: ({ uploaded_at }) => <Moment at={uploaded_at} />,
    },
    {
      id: 'export',
      header: t.export,
      isHeaderHidden: true,
      align: 'end',
      share: 0.6,
      hidden: 'phone',
      cell: ({ date }) => <SettlementExport of={{ ...account, date }} />,
    },
  ]
}
