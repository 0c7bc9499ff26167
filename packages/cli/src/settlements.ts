import { openAsBlob } from 'node:fs'
import { BadRequestError, type Settlement, type SettlementLine } from '@gapura/sdk'
import type { Command } from 'commander'
import type { Cli } from './cli.ts'
import { FailedError, UsageError } from './failure.ts'
import { addListOptions, addLongListOptions, type ListFlags, showList } from './lists.ts'
import { type Column, printFacts, printJson, rupiah, shortTime } from './output.ts'

const MIB = 1024 * 1024

const columns: Column<Settlement>[] = [
  { title: 'DATE', value: each => each.date },
  { title: 'LINES', value: each => each.lines.toLocaleString('id-ID'), right: true },
  { title: 'AMOUNT', value: each => rupiah(each.amount), right: true },
  { title: 'FEES', value: each => rupiah(each.fees), right: true },
  { title: 'DUPLICATES', value: each => String(each.duplicates), right: true },
  { title: 'UPLOADED', value: each => shortTime(each.uploaded_at), extra: true },
]

const lineColumns: Column<SettlementLine>[] = [
  { title: 'LINE', value: each => String(each.line), right: true },
  { title: 'REFERENCE', value: each => each.reference },
  { title: 'STATUS', value: each => each.status },
  { title: 'AMOUNT', value: each => rupiah(each.amount), right: true },
  { title: 'FEE', value: each => (each.fee === null ? '' : rupiah(each.fee)), right: true },
  { title: 'PAYMENT', value: each => each.payment_id ?? '', extra: true },
]

export function addSettlements(program: Command, cli: Cli): void {
  const settlements = program
    .command('settlements')
    .description("Providers' settlement files for reconciliation (Owner only)")

  settlements
    .command('upload')
    .description("upload a provider account's settlement for one day; replaces an earlier upload")
    .argument('<provider>', 'code of the provider')
    .argument('<account>', 'id of the account')
    .argument('<day>', 'day in Asia/Jakarta, such as 2026-11-20')
    .argument('<file>', 'CSV file of the settlement, with at least the columns reference and amount')
    .action(async (providerCode: string, accountId: string, date: string, file: string) => {
      const csv = await openFile(file)
      const gapura = cli.connect('user')
      const settlement = await gapura.settlements
        .upload({ providerCode, accountId, date }, csv, {
          onProgress: bytes => cli.progress(`${mebibytes(bytes)} of ${mebibytes(csv.size)} MiB sent`),
        })
        .catch((error: unknown) => {
          cli.progress('')
          throw isOfLine(error)
            ? new FailedError(error.message, `correct ${file} and upload it again`)
            : error
        })
      cli.progress('')
      if (cli.json) printJson(cli, settlement)
      else show(cli, settlement)
    })

  addLongListOptions(settlements.command('list').description('list the settlements uploaded for an account'))
    .argument('<provider>', 'code of the provider')
    .argument('<account>', 'id of the account')
    .action((provider: string, account: string, flags: ListFlags) => {
      const gapura = cli.connect('user')
      return showList(
        cli,
        flags,
        page => gapura.settlements.list(provider, account, page),
        columns,
        `No settlements yet. Upload one: gapura settlements upload ${provider} ${account} <day> <file>`,
      )
    })

  addListOptions(settlements.command('lines').description('list the lines of a settlement'))
    .argument('<provider>', 'code of the provider')
    .argument('<account>', 'id of the account')
    .argument('<day>', 'day in Asia/Jakarta, such as 2026-11-20')
    .action((providerCode: string, accountId: string, date: string, flags: ListFlags) => {
      const gapura = cli.connect('user')
      const of = { providerCode, accountId, date }
      return showList(cli, flags, page => gapura.settlements.listLines(of, page), lineColumns, 'No lines.')
    })
}

const mebibytes = (bytes: number): string => (bytes / MIB).toFixed(1)

/** Opens the settlement file for streaming, so the whole file is never in memory. */
async function openFile(file: string): Promise<Blob> {
  try {
    return await openAsBlob(file)
  } catch (error) {
    throw new UsageError(`${file} cannot be read: ${(error as NodeJS.ErrnoException).code}`)
  }
}

const isOfLine = (error: unknown): error is BadRequestError =>
  error instanceof BadRequestError && /^bad request: line \d/.test(error.message)

function show(cli: Cli, { date, lines, amount, fees, duplicates }: Settlement): void {
  printFacts(
    cli,
    `Uploaded. Next: gapura reports reconcile --date ${date}`,
    [],
    [
      ['Date', date],
      ['Lines', lines.toLocaleString('id-ID')],
      ['Amount', rupiah(amount)],
      ['Fees', rupiah(fees)],
      ['Duplicates', String(duplicates)],
    ],
  )
}
