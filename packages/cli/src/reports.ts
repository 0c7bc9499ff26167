import type { PaymentReport } from '@gapura/sdk'
import { type Command, Option } from 'commander'
import { type Cli, type ModeChoice, modeFilterOption } from './cli.ts'
import { UsageError } from './failure.ts'
import { showRows } from './lists.ts'
import { type Column, printJson, rupiah } from './output.ts'
import { addBooks } from './reports-books.ts'
import { addReconcile } from './reports-reconcile.ts'

type Row = PaymentReport['items'][number]
type PaymentsFlags = { from?: string; to?: string; by?: string; mode?: ModeChoice; csv?: true }

const groupColumns: Column<Row>[] = [
  { title: 'DAY', value: row => row.day ?? '' },
  { title: 'STATUS', value: row => row.status ?? '' },
  { title: 'METHOD', value: row => row.method_type ?? '' },
  { title: 'PROVIDER', value: row => row.provider ?? '' },
  { title: 'TENANT', value: row => row.tenant_name ?? row.tenant ?? '', cut: true },
  { title: 'MODE', value: row => row.mode ?? '' },
]
const sumColumns: Column<Row>[] = [
  { title: 'COUNT', value: row => row.count.toLocaleString('id-ID'), right: true },
  { title: 'AMOUNT', value: row => rupiah(row.amount), right: true },
  { title: 'PAID', value: row => rupiah(row.amount_paid), right: true },
]

export function addReports(program: Command, cli: Cli): void {
  const reports = program
    .command('reports')
    .description(
      "Reports: payment totals, the reconciliation, and the totals of all tenants' ledgers (books)",
    )

  reports
    .command('payments')
    .description('show the number and total amounts of payments created in a period')
    .option('--from <day>', 'first day (Asia/Jakarta), such as 2026-11-01 (default: 30 days ago)')
    .option('--to <day>', 'last day, inclusive (default: today)')
    .option(
      '--by <groups>',
      'what to group by: day, status, method_type, provider, tenant or mode, separated by commas (default: status)',
    )
    .addOption(modeFilterOption('payments'))
    .addOption(new Option('--csv', 'print CSV').conflicts('json'))
    .action(async ({ from, to, by = 'status', mode, csv }: PaymentsFlags) => {
      if (csv && cli.json) throw new UsageError('--csv and --json cannot be combined')
      const { reports } = cli.connect('user')
      const query = { from, to, group_by: by, mode }
      if (csv) {
        cli.stdout.write(await reports.paymentsCsv(query))
        return
      }
      const report = await reports.payments(query)
      if (cli.json) printJson(cli, report)
      else {
        const grouped = groupColumns.filter(column => report.items.some(row => column.value(row) !== ''))
        showRows(cli, report.items, [...grouped, ...sumColumns], 'No payments in this period.')
        if (report.items.some(row => row.is_capped))
          cli.stderr.write('Some totals exceed Rp 90 trillion and are shown as this maximum.\n')
      }
    })

  addReconcile(reports, cli)
  addBooks(reports, cli)
}
