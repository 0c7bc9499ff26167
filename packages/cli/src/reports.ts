import type { PaymentReport, Reconciliation } from '@gapura/sdk'
import { type Command, Option } from 'commander'
import { type Cli, type Mode, modeOption } from './cli.ts'
import { FailedError, UsageError } from './failure.ts'
import { showRows } from './lists.ts'
import { type Column, note, printJson, rupiah } from './output.ts'

type Row = PaymentReport['items'][number]
type PaymentsFlags = { from?: string; to?: string; by?: string; mode?: Mode; csv?: true }

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

type Difference = Reconciliation['differences'][number]
type Books = Reconciliation['items'][number]
const bookColumns: Column<Books>[] = [
  { title: 'TENANT', value: each => each.tenant_id },
  { title: 'MODE', value: each => each.mode },
  { title: 'PAID', value: each => `${each.paid.count}, ${rupiah(each.paid.amount)}`, right: true },
  {
    title: 'CREDITED',
    value: each => `${each.credited.count}, ${rupiah(each.credited.amount)}`,
    right: true,
  },
]
const differenceColumns: Column<Difference>[] = [
  { title: 'PAYMENT', value: each => each.payment_id },
  { title: 'DIFFERENCE', value: each => each.kind },
  {
    title: 'PAID',
    value: each => (each.amount_paid === null ? 'not' : rupiah(each.amount_paid)),
    right: true,
  },
  {
    title: 'CREDITED',
    value: each => (each.amount_credited === null ? 'not' : rupiah(each.amount_credited)),
    right: true,
  },
]

export function addReports(program: Command, cli: Cli): void {
  const reports = program.command('reports').description('Figures over payments, and whether the books agree')

  reports
    .command('payments')
    .description('number and sums of the payments created in a period')
    .option('--from <day>', 'first day (Asia/Jakarta), such as 2026-11-01; 30 days without it')
    .option('--to <day>', 'last day, included; today without it')
    .option('--by <groups>', 'of day,status,method_type,provider,tenant,mode, with commas between (status)')
    .addOption(modeOption('only those; both without it'))
    .addOption(new Option('--csv', 'as CSV').conflicts('json'))
    .action(async ({ from, to, by = 'status', mode, csv }: PaymentsFlags) => {
      if (csv && cli.json) throw new UsageError('--csv or --json, not both')
      const { reports } = cli.connect('user')
      const query = { from, to, group_by: by, mode }
      if (csv) {
        process.stdout.write(await reports.paymentsCsv(query))
        return
      }
      const report = await reports.payments(query)
      if (cli.json) printJson(report)
      else {
        const grouped = groupColumns.filter(column => report.items.some(row => column.value(row) !== ''))
        showRows(report.items, [...grouped, ...sumColumns], 'There are no payments in this period.')
      }
    })

  reports
    .command('reconcile')
    .description("compare a day's payments with its ledger; fails where they differ")
    .option('--date <day>', 'of Asia/Jakarta, such as 2026-11-20; today without it')
    .addOption(modeOption('only that; both without it'))
    .action(async ({ date, mode }: { date?: string; mode?: Mode }) => {
      const reconciliation = await cli.connect('user').reports.reconciliation({ date, mode })
      const { balanced, differences, items } = reconciliation
      if (cli.json) printJson(reconciliation)
      else {
        showRows(items, bookColumns, `No balance moved on ${reconciliation.date}.`)
        if (balanced) note(`Payments and ledger of ${reconciliation.date} agree.`)
        else {
          note('')
          showRows(differences, differenceColumns, '')
        }
      }
      if (!balanced)
        throw new FailedError(
          `${differences.length} payments of ${reconciliation.date} do not agree with the ledger`,
          'look at each with gapura payments timeline and tell whoever keeps the service',
        )
    })
}
