import type { KeptDifference, ReconciliationRun } from '@gapura/sdk'
import { type Command, Option } from 'commander'
import { type Cli, emptyText, type ModeChoice, modeColumn, modeFilterOption } from './cli.ts'
import { addLongListOptions, type ListFlags, showList } from './lists.ts'
import { type Column, printFacts, printJson, rupiah, shortTime, time } from './output.ts'

const statuses = ['open', 'closed'] as const
type FilterFlags = ListFlags & { mode?: ModeChoice; status?: (typeof statuses)[number]; payment?: string }

const uncheckedOf = ({ not_checked }: ReconciliationRun): string =>
  not_checked.map(({ provider, payments }) => `${payments} ${provider ?? ''}`.trim()).join(', ')

const runColumns: Column<ReconciliationRun>[] = [
  { title: 'DATE', value: run => run.date },
  { title: 'MODE', value: run => run.mode },
  { title: 'STATE', value: run => run.state },
  { title: 'SETTLEMENT', value: run => String(run.compared.settlement), right: true, extra: true },
  { title: 'INQUIRY', value: run => String(run.compared.inquiry), right: true, extra: true },
  { title: 'NOT CHECKED', value: uncheckedOf },
  { title: 'DIFFERENCES', value: run => String(run.differences), right: true },
  { title: 'ENDED', value: run => (run.ended_at === null ? '' : shortTime(run.ended_at)) },
]

const sum = (cents: number | null) => (cents === null ? '' : rupiah(cents))
const here = (each: KeptDifference) => `${each.our_status ?? 'unknown'} ${sum(each.our_amount)}`.trim()
const there = (each: KeptDifference) => `${each.their_status ?? ''} ${sum(each.their_amount)}`.trim()

const differenceColumns: Column<KeptDifference>[] = [
  { title: 'ID', value: each => each.id },
  { title: 'DATE', value: each => each.date },
  { title: 'DIFFERENCE', value: each => each.kind },
  { title: 'REFERENCE', value: each => each.reference },
  { title: 'GAPURA', value: here },
  { title: 'LEDGER', value: each => sum(each.ledger_amount), right: true, extra: true },
  { title: 'AT PROVIDER', value: there },
  { title: 'CLOSED', value: each => each.closed_by ?? '', extra: true },
]

export function addReconciliation(program: Command, cli: Cli): void {
  const reconciliation = program
    .command('reconciliation')
    .description('Daily automatic reconciliation (Owner only)')

  addLongListOptions(
    reconciliation.command('runs').description('list the daily reconciliation runs, newest first by default'),
  )
    .addOption(modeFilterOption('runs'))
    .action(({ mode, ...flags }: FilterFlags) => {
      const gapura = cli.connect('user')
      const list = (page: object) => gapura.reconciliation.listRuns({ mode, ...page })
      return showList(cli, flags, list, runColumns, emptyText(cli, mode, 'No reconciliation runs yet.'))
    })

  addLongListOptions(
    reconciliation
      .command('differences')
      .description('list the differences found by reconciliation, newest first by default'),
  )
    .addOption(
      new Option('--status <status>', 'only differences with this status (default: open)').choices(statuses),
    )
    .addOption(modeFilterOption('differences'))
    .option('--payment <payment>', 'only differences about this payment (code or id)')
    .action(({ mode, status, payment, ...flags }: FilterFlags) => {
      const gapura = cli.connect('user')
      const filter = { mode, status, payment_id: payment }
      const list = (page: object) => gapura.reconciliation.listDifferences({ ...filter, ...page })
      return showList(
        cli,
        flags,
        list,
        [...modeColumn(mode), ...differenceColumns],
        emptyText(cli, mode, 'No differences found.', payment),
      )
    })

  reconciliation
    .command('close')
    .description('close a difference whose cause you know; closing it does not change any balance')
    .argument('<id>', 'id of the difference')
    .requiredOption('--reason <text>', 'reason for closing the difference, stored with the difference')
    .action(async (id: string, { reason }: { reason: string }) =>
      showDifference(cli, await cli.connect('user').reconciliation.closeDifference(id, { reason })),
    )
}

function showDifference(cli: Cli, difference: KeptDifference): void {
  if (cli.json) {
    printJson(cli, difference)
    return
  }
  printFacts(
    cli,
    `Difference for ${difference.reference} (${difference.kind}) is closed`,
    [],
    [
      ['Difference', difference.id],
      ['Between', difference.between.replace('_', ' and ')],
      ['Payment', [difference.payment_code, difference.payment_id].filter(Boolean).join(' ')],
      ['Gapura', here(difference)],
      ['At provider', there(difference)],
      ['Detail', difference.detail],
      ['Mode', difference.mode],
      ['Found', time(difference.found_at)],
      ['Closed', difference.closed_at === null ? '' : time(difference.closed_at)],
      ['Reason', difference.reason ?? ''],
    ],
  )
}
