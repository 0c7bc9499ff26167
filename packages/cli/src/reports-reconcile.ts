import type { Gapura, ReconciliationLine } from '@gapura/sdk'
import { type Command, Option } from 'commander'
import { type Cli, type ModeChoice, modeFilterOption } from './cli.ts'
import { FailedError, UsageError } from './failure.ts'
import { showRows } from './lists.ts'
import { type Column, note, printJson, rupiah } from './output.ts'

const sources = ['auto', 'settlement', 'inquiry', 'books'] as const
type Flags = { date?: string; mode?: ModeChoice; source?: (typeof sources)[number]; csv?: true }
type Difference = Omit<Extract<ReconciliationLine, { type: 'difference' }>, 'type'>
type Summary = Omit<Extract<ReconciliationLine, { type: 'summary' }>, 'type'>
type Query = Omit<Flags, 'csv'>

/** The maximum number of differences that are shown as a table. */
const SHOWN = 1_000

const sum = (cents: number | null) => (cents === null ? '' : rupiah(cents))
const columns: Column<Difference>[] = [
  { title: 'DIFFERENCE', value: each => each.kind },
  { title: 'BETWEEN', value: each => each.between.replace('_', ' and '), extra: true },
  { title: 'REFERENCE', value: each => each.reference },
  { title: 'GAPURA', value: each => `${each.our_status ?? 'unknown'} ${sum(each.our_amount)}`.trim() },
  { title: 'LEDGER', value: each => sum(each.ledger_amount), right: true },
  {
    title: 'AT PROVIDER',
    value: each => `${each.their_status ?? ''} ${sum(each.their_amount)}`.trim(),
    cut: true,
  },
  { title: 'PROVIDER', value: each => each.provider, extra: true },
  { title: 'MODE', value: each => each.mode, extra: true },
  { title: 'DETAIL', value: each => each.detail, cut: true },
]

export function addReconcile(reports: Command, cli: Cli): void {
  reports
    .command('reconcile')
    .description(
      "compare a day's payments with the ledger and the providers' records; the exit code is 1 if there are differences",
    )
    .option('--date <day>', 'day to reconcile, in Asia/Jakarta, such as 2026-11-20 (default: today)')
    .addOption(modeFilterOption('payments'))
    .addOption(
      new Option(
        '--source <source>',
        "what to compare payments with: settlement (the provider's uploaded file), inquiry (the status at the provider) or books (only the ledger); default: settlement, or inquiry if no file was uploaded",
      ).choices(sources),
    )
    .addOption(new Option('--csv', 'print the differences as CSV').conflicts('json'))
    .action(async ({ csv, ...query }: Flags) => {
      if (csv && cli.json) throw new UsageError('--csv and --json cannot be combined')
      const gapura = cli.connect('user')
      if (csv) await printCsv(cli, gapura, query)
      else if (cli.json) await printWhole(cli, gapura, query)
      else await show(cli, gapura, query)
    })
}

async function show(cli: Cli, gapura: Gapura, query: Query): Promise<void> {
  const { differences, summary } = await listen(cli, gapura, query, SHOWN)
  const { date, compared, counts, balanced } = summary
  if (differences.length > 0) showRows(cli, differences, columns, '')
  const found = total(counts)
  if (found > differences.length)
    note(cli, `… and ${found - differences.length} more differences; add --csv to print all`)
  const looked = Object.entries(compared).filter(([, number]) => number > 0)
  note(
    cli,
    looked.length === 0
      ? `No payments on ${date}.`
      : `Compared for ${date}: ${looked.map(([what, number]) => `${number.toLocaleString('id-ID')} ${words[what]}`).join(', ')}.`,
  )
  if (balanced) note(cli, 'No differences.')
  else throw disagreed(date, counts)
}

const words: Record<string, string> = {
  settlement: 'payments with settlements',
  inquiry: 'payments with status inquiries',
  unanswered: 'payments without a response from the provider',
  books: 'payments with the ledger only',
  unknown_lines: 'settlement lines that match no payment',
}

/**
 * Prints all differences, in the same JSON format as the API. It reads them from a response stream, because
 * the API's own JSON response lists only 1,000 differences.
 */
async function printWhole(cli: Cli, gapura: Gapura, query: Query): Promise<void> {
  const { differences, summary } = await listen(cli, gapura, query, Number.POSITIVE_INFINITY)
  printJson(cli, { ...summary, differences, truncated: false })
  if (!summary.balanced) throw disagreed(summary.date, summary.counts)
}

async function printCsv({ stdout }: Cli, gapura: Gapura, query: Query): Promise<void> {
  let lines = 0
  for await (const piece of gapura.reports.reconciliationCsv(query)) {
    lines += piece.split('\n').length - 1
    if (!stdout.write(piece)) await new Promise(resolve => stdout.once('drain', resolve))
  }
  if (lines > 1) throw disagreed(query.date ?? 'today', { found: lines - 1 })
}

/**
 * Reads the response stream of a reconciliation and shows the progress. Returns the summary and the first
 * differences, at most `kept` of them.
 */
async function listen(
  { progress }: Cli,
  gapura: Gapura,
  query: Query,
  kept: number,
): Promise<{ differences: Difference[]; summary: Summary }> {
  const differences: Difference[] = []
  let summary: Summary | undefined
  for await (const { type, ...line } of gapura.reports.reconciliationLines(query)) {
    if (type === 'progress') {
      const { done, total } = line as { done: number; total: number }
      progress(`${done.toLocaleString('id-ID')} of ${total.toLocaleString('id-ID')} compared`)
    } else if (type === 'summary') summary = line as Summary
    else if (differences.length < kept) differences.push(line as Difference)
  }
  progress('')
  if (!summary) throw new Error('the response of the reconciliation ended before its summary')
  return { differences, summary }
}

const total = (counts: Record<string, number>): number =>
  Object.values(counts).reduce((all, number) => all + number, 0)

function disagreed(date: string, counts: Record<string, number>): FailedError {
  const found = total(counts)
  const kinds = Object.entries(counts).filter(([kind, number]) => number > 0 && kind !== 'found')
  const listed = kinds.map(([kind, number]) => `${number} ${kind}`).join(', ')
  return new FailedError(
    `${found} ${found === 1 ? 'difference' : 'differences'} in ${date}${listed && `: ${listed}`}`,
    'check each payment with gapura payments timeline; docs/reconciliation.md explains the kinds of differences',
  )
}
