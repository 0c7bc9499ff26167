import type { Balance, LedgerEntry, LedgerVerification } from '@gapura/sdk'
import type { Command } from 'commander'
import {
  type Cli,
  emptyText,
  type Mode,
  type ModeChoice,
  modeColumn,
  modeFilterOption,
  modeOption,
} from './cli.ts'
import { addLongListOptions, type ListFlags, showList } from './lists.ts'
import { type Column, printJson, printLines, rupiah, shortTime } from './output.ts'

/**
 * The columns for ledger entries. The payment column is empty if an entry belongs to no payment, for example for a
 * payout.
 */
export const ledgerColumns: Column<Omit<LedgerEntry, 'payment_id'> & { payment_id: string | null }>[] = [
  { title: 'POSTED', value: entry => shortTime(entry.created_at) },
  {
    title: 'AMOUNT',
    value: entry => rupiah(entry.entry_type === 'debit' ? -entry.amount : entry.amount),
    right: true,
  },
  { title: 'BALANCE', value: entry => rupiah(entry.balance_after), right: true },
  { title: 'REFERENCE', value: entry => entry.reference_id },
  { title: 'REASON', value: entry => entry.reason, cut: true, extra: true },
  { title: 'PAYMENT', value: entry => entry.payment_id ?? '', extra: true },
]

const oneMode = () =>
  modeOption(
    "mode of the ledger, live or test (default: your API key's mode, or live if you are logged in as a user)",
  )

export function addLedger(program: Command, cli: Cli): void {
  const ledger = program.command('ledger').description('Balance and ledger entries')

  addLongListOptions(ledger.command('list').description('list ledger entries, newest first by default'))
    .addOption(modeFilterOption('entries'))
    .action(({ mode, ...flags }: ListFlags & { mode?: ModeChoice }) => {
      const gapura = cli.connect('either')
      const list = (page: object) => gapura.ledger.list({ mode, ...page })
      return showList(
        cli,
        flags,
        list,
        [...modeColumn(mode), ...ledgerColumns],
        emptyText(cli, mode, 'No ledger entries yet.'),
      )
    })

  ledger
    .command('balance')
    .description('show the balance')
    .addOption(oneMode())
    .action(async ({ mode }: { mode?: Mode }) => {
      const balance = await cli.connect('either').account.getBalance({ mode })
      if (cli.json) printJson(cli, balance)
      else printLines(cli, [`${rupiah(balance.balance)} (${heldOf(balance)}${balance.mode})`])
    })
  ledger
    .command('seal')
    .description(
      'show the ledger seal, a hash of all entries; archive the --json output to prove later that no entry was changed',
    )
    .addOption(oneMode())
    .action(async ({ mode }: { mode?: Mode }) => {
      const seal = await cli.connect('either').ledger.getSeal({ mode })
      if (cli.json) printJson(cli, seal)
      else printLines(cli, [`${seal.hash} (${seal.mode}, ${seal.entries} entries)`])
    })

  ledger
    .command('verification')
    .description(
      'show the result of the last full ledger verification; exits with 1 if it found differences (Owner only)',
    )
    .action(async () => {
      const verification = await cli.connect('user').ledger.getVerification()
      if (cli.json) printJson(cli, verification)
      else printLines(cli, linesOf(verification))
      if (verification.differences.length > 0) cli.exitCode = 1
    })
}

function linesOf({ last, differences }: LedgerVerification): string[] {
  const when =
    last === null
      ? 'The ledger has not been verified yet.'
      : last.ended_at === null
        ? 'Verification in progress.'
        : `Verified ${shortTime(last.ended_at)}.`
  const unchecked = last?.orders_not_checked
    ? ` Payments not compared with the merchant's order: ${last.orders_not_checked}.`
    : ''
  const what =
    last &&
    `${last.balances} balances, ${last.entries} ledger entries, ${last.payments} payments.${unchecked}`
  if (differences.length === 0) return [[when, what, last && 'No differences.'].filter(Boolean).join(' ')]
  return [
    [when, what].filter(Boolean).join(' '),
    ...differences.map(
      ({ kind, facts }) =>
        `${kind.replaceAll('_', ' ')}: ${Object.entries(facts)
          .map(([name, value]) => `${name} ${value ?? 'none'}`)
          .join(', ')}`,
    ),
    'To list all differences, run gapura-server verify-ledger on the server.',
  ]
}

/**
 * Formats the amount that is withheld from the balance until the Owner (the service's operator) decides on
 * reported refunds and chargebacks.
 */
const heldOf = ({ held }: Balance): string => (held === 0 ? '' : `${rupiah(held)} held, `)
