import type { BookTotals } from '@gapura/sdk'
import type { Command } from 'commander'
import { type Cli, type Mode, modeOption } from './cli.ts'
import { FailedError } from './failure.ts'
import { showRows } from './lists.ts'
import { type Column, note, printJson, rupiah } from './output.ts'

type Row = { account: string; id?: string; total: number }

const columns: Column<Row>[] = [
  { title: 'ACCOUNT', value: ({ account }) => account, cut: true },
  { title: 'TOTAL', value: ({ total }) => rupiah(total), right: true },
  { title: 'PROVIDER ACCOUNT', value: ({ id }) => id ?? '', extra: true },
]

export function addBooks(reports: Command, cli: Cli): void {
  reports
    .command('books')
    .description(
      "show each account's total over all tenants' ledgers (books); exits with 1 if a tenant's accounts do not sum to zero (Owner only)",
    )
    .addOption(modeOption('ledger mode (default: live)'))
    .action(async (query: { mode?: Mode }) => {
      const totals = await cli.connect('user').reports.books(query)
      if (cli.json) printJson(cli, totals)
      else showRows(cli, rowsOf(totals), columns, '')
      if (!totals.balanced) throw unbalanced(totals)
      if (!cli.json) note(cli, `In ${totals.mode} mode, the accounts of every tenant's book sum to zero.`)
    })
}

const rowsOf = (totals: BookTotals): Row[] => [
  ...totals.provider_accounts.map(({ id, provider_code, name, owed }) => ({
    account: `owed by ${provider_code === null ? 'a deleted provider account' : `${provider_code}, ${name}`}`,
    id,
    total: owed,
  })),
  { account: 'owed by all providers', total: totals.owed_by_providers },
  { account: 'positive balances of merchants', total: totals.merchant_balances.positive },
  { account: 'negative balances of merchants', total: totals.merchant_balances.negative },
  { account: 'fees of the operator', total: totals.operator_fees },
  { account: "Partners' fees that are not credited yet", total: totals.partner_fees },
  { account: 'refunds in transit', total: totals.refunds_in_transit },
  { account: 'payouts in transit', total: totals.payouts_in_transit },
  { account: 'adjustment', total: totals.adjustment },
  ...(totals.unassigned === 0 ? [] : [{ account: 'unassigned', total: totals.unassigned }]),
]

function unbalanced({ sum, unbalanced_books: books }: BookTotals): FailedError {
  return new FailedError(
    `${books} ${books === 1 ? 'book does' : 'books do'} not sum to zero; all accounts sum to ${rupiah(sum)}`,
    'on the server, run gapura-server verify-ledger to find the accounts with a wrong balance',
  )
}
