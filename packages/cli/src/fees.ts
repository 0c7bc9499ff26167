// Commands for fee schedules, and for the fee a payment would have if it were created now.

import { writeFile } from 'node:fs/promises'
import type {
  FeePreview,
  FeeReport,
  FeeRule,
  FeeSchedule,
  FeeStatement,
  Gapura,
  TenantFeePreview,
} from '@gapura/sdk'
import { type Command, Option } from 'commander'
import { type Cli, type Mode, type ModeChoice, modeFilterOption, modeOption, whole } from './cli.ts'
import { UsageError } from './failure.ts'
import { showRows } from './lists.ts'
import { type Column, note, printFacts, printJson, rupiah } from './output.ts'
import { isTerminal, readJson } from './terminal.ts'

const methods = ['virtual_account', 'qris', 'e_wallet', 'over_the_counter'] as const
type PreviewFlags = {
  tenant?: string
  method: (typeof methods)[number]
  channel?: string
  amount?: number
  rupiah?: number
}

type FileFlags = { csv?: true; xlsx?: string }
type ReportFlags = FileFlags & { from?: string; to?: string; by?: string; mode?: ModeChoice }
type StatementFlags = FileFlags & { tenant?: string; mode?: Mode }
type ReportRow = FeeReport['items'][number]

const groupColumns: Column<ReportRow>[] = [
  { title: 'DAY', value: row => row.day ?? '' },
  { title: 'TENANT', value: row => row.tenant_name ?? row.tenant ?? '', cut: true },
  { title: 'METHOD', value: row => row.method_type ?? '' },
  { title: 'CHANNEL', value: row => row.channel ?? '' },
  { title: 'MODE', value: row => row.mode ?? '' },
]
const sumColumns: Column<ReportRow>[] = [
  { title: 'COUNT', value: row => row.count.toLocaleString('id-ID'), right: true },
  { title: 'DPP', value: row => rupiah(row.net), right: true },
  { title: 'PPN', value: row => rupiah(row.tax), right: true },
  { title: 'FEE', value: row => rupiah(row.fee), right: true },
]
const statementColumns: Column<FeeStatement['items'][number]>[] = [
  { title: 'METHOD', value: row => row.method_type },
  { title: 'CHANNEL', value: row => row.channel },
  { title: 'COUNT', value: row => row.count.toLocaleString('id-ID'), right: true },
  { title: 'DPP', value: row => rupiah(row.net), right: true },
  { title: 'PPN', value: row => rupiah(row.tax), right: true },
  { title: 'TOTAL', value: row => rupiah(row.total), right: true },
]

const marginColumns: Column<NonNullable<FeeStatement['margins']>['items'][number]>[] = [
  { title: 'CLIENT', value: row => row.tenant_name, cut: true },
  ...statementColumns,
]

const noRules = {
  operator: 'No fee rules: payments have no fee.',
  partner: "No fee rules: payments have the operator's fees.",
}

const percent = (basisPoints: number): string => `${basisPoints / 100} %`
const amountOrNone = (cents: number | null): string => (cents === null ? '' : rupiah(cents))

const columns: Column<FeeRule>[] = [
  { title: 'METHOD', value: rule => rule.method_type ?? 'any' },
  { title: 'CHANNEL', value: rule => rule.channel ?? 'any' },
  { title: 'PERCENT', value: rule => percent(rule.percent_bps), right: true },
  { title: 'FIXED', value: rule => rupiah(rule.fixed), right: true },
  { title: 'MIN', value: rule => amountOrNone(rule.min), right: true },
  { title: 'MAX', value: rule => amountOrNone(rule.max), right: true },
  { title: 'PPN', value: rule => percent(rule.tax_bps), right: true },
]

export function addFees(program: Command, cli: Cli): void {
  const fees = program.command('fees').description('Fee schedules, and the fee of a payment')

  fees
    .command('get')
    .description('show your fee schedule, or the schedule that you set for a tenant')
    .option('--tenant <id>', 'id of the tenant (only for the Owner and Partners)')
    .action(async ({ tenant }: { tenant?: string }) => {
      const gapura = cli.connect('user')
      show(cli, await (tenant === undefined ? gapura.fees.get() : gapura.fees.getTenant(tenant)))
    })

  fees
    .command('set')
    .description("set a tenant's fees by adding a version to its fee schedule (Owner and Partner)")
    .argument('<tenant>', 'id of the tenant')
    .argument('[file]', 'JSON file (default: stdin)')
    .addHelpText(
      'after',
      `
The JSON has the form {"rules": [ … ], "effective_from", "refund_fees"}. Each rule has the form {"method_type",
"channel", "percent_bps", "fixed", "min", "max", "tax_bps"}. Rates are in basis points (70 is 0.7 %), amounts in
cents. The most specific rule that matches a payment sets its fee. Existing payments keep their fees.

  gapura fees get --tenant <tenant> --json > fees.json
  gapura fees set <tenant> fees.json`,
    )
    .action(async (tenant: string, file = '-') => {
      if (file === '-' && isTerminal(cli))
        throw new UsageError('no file given', 'pass a file, or the JSON on stdin')
      const json = (await readJson(cli, file)) as Partial<Parameters<Gapura['fees']['setTenant']>[1]> | null
      if (!Array.isArray(json?.rules))
        throw new UsageError(
          `${file === '-' ? 'stdin' : file} contains no rules`,
          'use the format { "rules": [ … ] }',
        )
      const { rules, effective_from, refund_fees } = json
      const body = { rules, ...(effective_from && { effective_from }), refund_fees: refund_fees ?? false }
      show(cli, await cli.connect('user').fees.setTenant(tenant, body))
    })

  fees
    .command('preview')
    .description('show the fee for a payment with this method and amount; creates no payment')
    .option('--tenant <id>', 'id of the tenant (only for the Owner and Partners)')
    .addOption(new Option('--method <type>', 'payment method').choices(methods).makeOptionMandatory())
    .option(
      '--channel <code>',
      'code of the bank, e-wallet or store, such as BCA; omit it for the method qris',
    )
    .addOption(new Option('--amount <cents>', 'amount in cents: Rp100,000 is 10000000').argParser(whole))
    .addOption(
      new Option('--rupiah <rupiah>', 'amount in whole rupiah, instead of --amount')
        .argParser(whole)
        .conflicts('amount'),
    )
    .action(async ({ tenant, ...flags }: PreviewFlags) => {
      const gapura = cli.connect('user')
      const query = queryOf(flags)
      showPreview(
        cli,
        await (tenant === undefined ? gapura.fees.preview(query) : gapura.fees.previewTenant(tenant, query)),
      )
    })

  addFeeReports(fees, cli)
}

function addFeeReports(fees: Command, cli: Cli): void {
  addFileOptions(
    fees
      .command('report')
      .description('show the number of fees charged in a period, and their totals')
      .option('--from <day>', 'first day (Asia/Jakarta), such as 2026-11-01 (default: 30 days ago)')
      .option('--to <day>', 'last day, inclusive (default: today)')
      .option(
        '--by <groups>',
        'what to group the totals by: day, tenant, method_type, channel or mode, separated by commas (default: channel)',
      )
      .addOption(modeFilterOption('fees')),
  ).action(async ({ from, to, by = 'channel', mode, ...file }: ReportFlags) => {
    const { fees } = cli.connect('user')
    const query = { from, to, group_by: by, mode }
    if (await savedAsFile(cli, file, format => fees.reportFile(format, query))) return
    const report = await fees.report(query)
    if (cli.json) {
      printJson(cli, report)
      return
    }
    const grouped = groupColumns.filter(column => report.items.some(row => column.value(row) !== ''))
    showRows(cli, report.items, [...grouped, ...sumColumns], 'No fees in this period.')
  })

  addFileOptions(
    fees
      .command('statement')
      .description(
        "show a month's fees and a Partner's margins, with the amounts before tax (DPP) and the tax (PPN)",
      )
      .argument('<month>', 'month (Asia/Jakarta), such as 2026-11')
      .option('--tenant <id>', 'id of the tenant (only for the Owner and Partners)')
      .addOption(modeOption('payment mode (default: live)')),
  ).action(async (month: string, { tenant, mode, ...file }: StatementFlags) => {
    const { fees } = cli.connect('user')
    const query = { month, mode }
    const isFile = await savedAsFile(cli, file, format =>
      tenant === undefined
        ? fees.statementFile(format, query)
        : fees.tenantStatementFile(format, tenant, query),
    )
    if (isFile) return
    const statement = await (tenant === undefined
      ? fees.statement(query)
      : fees.tenantStatement(tenant, query))
    if (cli.json) printJson(cli, statement)
    else {
      showRows(cli, statement.items, statementColumns, 'No fees in this month.')
      note(
        cli,
        `total ${rupiah(statement.total)}: ${rupiah(statement.net)} before tax (DPP) and ${rupiah(statement.tax)} tax (PPN)`,
      )
      if (statement.margins) showMargins(cli, statement.margins)
    }
  })
}

function showMargins(cli: Cli, margins: NonNullable<FeeStatement['margins']>): void {
  showRows(cli, margins.items, marginColumns, 'No margins in this month.')
  note(
    cli,
    `total of the Partner's margins ${rupiah(margins.total)}: ${rupiah(margins.net)} before tax (DPP) and ${rupiah(margins.tax)} tax (PPN)`,
  )
  note(
    cli,
    `credited in this month: ${rupiah(margins.credited)} in ${margins.credits} ledger entries; not yet credited at the start of the month: ${rupiah(margins.uncredited_before)}, at its end: ${rupiah(margins.uncredited_after)}`,
  )
}

const addFileOptions = (command: Command): Command =>
  command
    .addOption(new Option('--csv', 'print CSV with amounts in cents').conflicts('xlsx'))
    .option('--xlsx <file>', 'save an Excel workbook with amounts in rupiah')

/** With --csv, prints the response as CSV; with --xlsx, saves it as a workbook. With neither option, returns false. */
async function savedAsFile(
  cli: Cli,
  { csv, xlsx }: FileFlags,
  read: (format: 'csv' | 'xlsx') => Promise<Blob>,
): Promise<boolean> {
  if (!csv && xlsx === undefined) return false
  if (cli.json) throw new UsageError(`--${csv ? 'csv' : 'xlsx'} and --json cannot be combined`)
  if (xlsx === undefined) cli.stdout.write(await (await read('csv')).text())
  else {
    await saveFile(xlsx, await read('xlsx'))
    note(cli, `saved as ${xlsx}`)
  }
  return true
}

async function saveFile(file: string, content: Blob): Promise<void> {
  try {
    await writeFile(file, content.stream())
  } catch (error) {
    throw new UsageError(`${file} cannot be written: ${(error as NodeJS.ErrnoException).code}`)
  }
}

function queryOf(flags: PreviewFlags) {
  const amount = flags.amount ?? (flags.rupiah === undefined ? undefined : flags.rupiah * 100)
  if (amount === undefined) throw new UsageError('pass --amount (in cents) or --rupiah')
  const channel = flags.method === 'qris' ? 'qris' : flags.channel
  if (channel === undefined) throw new UsageError(`--channel is required with --method ${flags.method}`)
  return { method_type: flags.method, channel, amount }
}

function show(cli: Cli, schedule: FeeSchedule): void {
  if (cli.json) {
    printJson(cli, schedule)
    return
  }
  showRows(cli, schedule.rules, columns, noRules[schedule.layer])
  if (schedule.version !== null)
    note(
      cli,
      `version ${schedule.version} of the fee schedule of the ${schedule.layer}, in effect since ${schedule.effective_from}`,
    )
  for (const { version, effective_from } of schedule.upcoming)
    note(
      cli,
      `version ${version} of the fee schedule applies from ${effective_from}; to see its rules, add --json`,
    )
}

function showPreview(cli: Cli, preview: FeePreview | TenantFeePreview): void {
  if (cli.json) {
    printJson(cli, preview)
    return
  }
  printFacts(
    cli,
    `Fee for a payment of ${rupiah(preview.amount)}`,
    [],
    [
      ['Formula', preview.formula ?? 'no fee'],
      ['Fee', rupiah(preview.fee)],
      ['before tax (DPP)', rupiah(preview.net)],
      ['tax (PPN)', rupiah(preview.tax)],
      ['Remains', rupiah(preview.received)],
      ...('operator_fee' in preview
        ? ([
            ['Operator', rupiah(preview.operator_fee)],
            ['Partner', rupiah(preview.partner_margin)],
          ] as [string, string][])
        : []),
    ],
  )
}
