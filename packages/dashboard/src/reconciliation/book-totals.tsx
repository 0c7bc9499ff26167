import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type Outputs, trpc } from '../api/trpc.ts'
import { useFormat } from '../format/format.ts'
import { useWords, words } from '../language/language.tsx'
import { Panel } from '../parts/panel.tsx'
import { useProviderName } from '../payments/provider-name.ts'
import { useMode } from '../shell/mode.ts'
import { type Column, DataTable } from '../table/data-table.tsx'
import { TwoLines } from '../table/two-lines.tsx'

type Totals = Outputs['reports']['books']
type Row = { key: string; account: string; about?: string; total: number; isSum?: true }

const text = words({
  en: {
    title: 'Ledger totals across all tenants',
    account: 'Account',
    total: 'Total',
    owedBy: (provider: string) => `Owed by ${provider}`,
    deleted: 'a deleted provider account',
    owed: 'Owed by all providers',
    positive: 'Positive balances of merchants',
    negative: 'Negative balances of merchants',
    operator: 'Fees of the operator',
    partner: 'Fees of Partners',
    partnerAbout: 'Fees not yet credited to Partner balances',
    refunds: 'Refunds in transit',
    payouts: 'Payouts in transit',
    adjustment: 'Adjustments',
    adjustmentAbout: 'Money that was moved without a provider',
    unassigned: 'Unassigned entries',
    balanced: 'Every book sums to zero',
    balancedAbout:
      'The money that providers owe equals the sum of all other accounts, both in total and for each tenant.',
    unbalanced: (count: string) => `Books that do not sum to zero: ${count}`,
    unbalancedAbout: (sum: string) =>
      `All accounts together sum to ${sum}, but should sum to zero. To find the incorrect accounts, run gapura-server verify-ledger on the server.`,
  },
  id: {
    title: 'Total pembukuan semua tenant',
    account: 'Akun',
    total: 'Total',
    owedBy: (provider: string) => `Terutang oleh ${provider}`,
    deleted: 'akun penyedia yang sudah dihapus',
    owed: 'Terutang oleh semua penyedia',
    positive: 'Saldo positif merchant',
    negative: 'Saldo negatif merchant',
    operator: 'Biaya operator',
    partner: 'Biaya mitra',
    partnerAbout: 'Belum dikreditkan ke saldo mitra',
    refunds: 'Pengembalian dana dalam proses',
    payouts: 'Pencairan dana dalam proses',
    adjustment: 'Penyesuaian',
    adjustmentAbout: 'Dana yang dipindahkan tanpa penyedia',
    unassigned: 'Mutasi tanpa akun lawan',
    balanced: 'Semua pembukuan berjumlah nol',
    balancedAbout:
      'Jumlah yang terutang oleh penyedia sama dengan jumlah semua akun lain, secara keseluruhan dan dalam pembukuan setiap tenant.',
    unbalanced: (count: string) => `Pembukuan yang tidak berjumlah nol: ${count}`,
    unbalancedAbout: (sum: string) =>
      `Jumlah semua akun adalah ${sum}, padahal seharusnya nol. Untuk menemukan akun yang salah, jalankan gapura-server verify-ledger di server.`,
  },
})

/**
 * Shows each account's total across the books (double-entry ledgers) of all tenants, and whether each book sums to
 * zero.
 */
export function BookTotals() {
  const t = useWords(text)
  const [mode] = useMode()
  const { data, error, refetch } = useQuery(trpc.reports.books.queryOptions({ mode }))
  const rowsOf = useRows()
  return (
    <>
      {data && <BooksVerdict of={data} />}
      <Panel title={t.title} isFlush>
        <DataTable
          label={t.title}
          columns={useColumns()}
          rows={data && rowsOf(data)}
          rowKey={({ key }) => key}
          error={data ? undefined : (error ?? undefined)}
          retry={() => void refetch()}
          empty={null}
        />
      </Panel>
    </>
  )
}

function BooksVerdict({ of: { balanced, sum, unbalanced_books } }: { of: Totals }) {
  const t = useWords(text)
  const format = useFormat()
  return (
    <div role="status">
      <Panel title={balanced ? t.balanced : t.unbalanced(format.count(unbalanced_books))}>
        <Text size="sm" c="dimmed">
          {balanced ? t.balancedAbout : t.unbalancedAbout(format.money(sum))}
        </Text>
      </Panel>
    </div>
  )
}

function useRows(): (totals: Totals) => Row[] {
  const t = useWords(text)
  const providerName = useProviderName()
  return totals => [
    ...totals.provider_accounts.map(({ id, provider_code, name, owed }) => ({
      key: id,
      account: t.owedBy(provider_code === null ? t.deleted : providerName(provider_code)),
      about: name ?? id,
      total: owed,
    })),
    { key: 'owed', account: t.owed, total: totals.owed_by_providers, isSum: true },
    { key: 'positive', account: t.positive, total: totals.merchant_balances.positive },
    { key: 'negative', account: t.negative, total: totals.merchant_balances.negative },
    { key: 'operator', account: t.operator, total: totals.operator_fees },
    { key: 'partner', account: t.partner, about: t.partnerAbout, total: totals.partner_fees },
    { key: 'refunds', account: t.refunds, total: totals.refunds_in_transit },
    { key: 'payouts', account: t.payouts, total: totals.payouts_in_transit },
    { key: 'adjustment', account: t.adjustment, about: t.adjustmentAbout, total: totals.adjustment },
    ...(totals.unassigned === 0
      ? []
      : [{ key: 'unassigned', account: t.unassigned, total: totals.unassigned }]),
  ]
}

function useColumns(): Column<Row>[] {
  const t = useWords(text)
  const format = useFormat()
  const strongIf = (isSum: true | undefined, shown: string) => (isSum ? <strong>{shown}</strong> : shown)
  return [
    {
      id: 'account',
      header: t.account,
      share: 1.4,
      cell: ({ account, about, isSum }) => <TwoLines top={strongIf(isSum, account)} below={about} />,
    },
    {
      id: 'total',
      header: t.total,
      align: 'end',
      cell: ({ total, isSum }) => strongIf(isSum, format.money(total)),
    },
  ]
}
