import type { Balance, LedgerEntry, LedgerVerification } from '@gapura/sdk'
import type { Command } from 'commander'
import { type Cli, type Mode, modeOption } from './cli.ts'
import { addListOptions, type ListFlags, showList } from './lists.ts'
import { type Column, printJson, printLines, rupiah, shortTime } from './output.ts'

const columns: Column<LedgerEntry>[] = [
  { title: 'POSTED', value: entry => shortTime(entry.created_at) },
  {
    title: 'AMOUNT',
    value: entry => rupiah(entry.entry_type === 'debit' ? -entry.amount : entry.amount),
    right: true,
  },
  { title: 'BALANCE', value: entry => rupiah(entry.balance_after), right: true },
  { title: 'REFERENCE', value: entry => entry.reference_id },
  { title: 'REASON', value: entry => entry.reason, cut: true, extra: true },
  { title: 'PAYMENT', value: entry => entry.payment_id, extra: true },
]

const oneMode = () => modeOption("an API key's own; for a user live without it")

export function addLedger(program: Command, cli: Cli): void {
  const ledger = program.command('ledger').description('The balance and what moved it')

  addListOptions(ledger.command('list').description('list what moved the balance, the last first'))
    .addOption(oneMode())
    .action(({ mode, ...flags }: ListFlags & { mode?: Mode }) => {
      const gapura = cli.connect('either')
      const list = (page: object) => gapura.account.ledger({ mode, ...page })
      return showList(cli, flags, list, columns, 'Nothing moved this balance yet.')
    })

  ledger
    .command('balance')
    .description('show the balance')
    .addOption(oneMode())
    .action(async ({ mode }: { mode?: Mode }) => {
      const balance = await cli.connect('either').account.balance({ mode })
      if (cli.json) printJson(balance)
      else printLines([`${rupiah(balance.balance)} (${heldOf(balance)}${balance.mode})`])
    })
  ledger
    .command('seal')
    .description('show the hash over all entries that the last statement covers; keep what --json prints')
    .addOption(oneMode())
    .action(async ({ mode }: { mode?: Mode }) => {
      const seal = await cli.connect('either').account.seal({ mode })
      if (cli.json) printJson(seal)
      else printLines([`${seal.hash} (${seal.mode}, ${seal.entries} entries)`])
    })

  ledger
    .command('verification')
    .description(
      'show what the verification of the whole ledger found; ends with 1 where it contradicts itself (Owner)',
    )
    .action(async () => {
      const verification = await cli.connect('user').ledger.verification()
      if (cli.json) printJson(verification)
      else printLines(linesOf(verification))
      if (verification.differences.length > 0) process.exitCode = 1
    })
}

function linesOf({ last, differences }: LedgerVerification): string[] {
  const when =
    last === null
      ? 'Not verified yet.'
      : last.ended_at === null
        ? 'Under way.'
        : `Verified ${shortTime(last.ended_at)}.`
  const unchecked = last?.orders_not_checked ? ` Orders not checked: ${last.orders_not_checked}.` : ''
  const what =
    last && `${last.balances} balances, ${last.entries} entries, ${last.payments} payments.${unchecked}`
  if (differences.length === 0) return [[when, what, last && 'They agree.'].filter(Boolean).join(' ')]
  return [
    [when, what].filter(Boolean).join(' '),
    ...differences.map(
      ({ kind, facts }) =>
        `${kind.replaceAll('_', ' ')}: ${Object.entries(facts)
          .map(([name, value]) => `${name} ${value ?? 'none'}`)
          .join(', ')}`,
    ),
    'Next: gapura-server verify-ledger on the server names all of them.',
  ]
}

/** Shows the part of the balance that is held for refunds and chargebacks until the operator decides on them. */
const heldOf = ({ held }: Balance): string => (held === 0 ? '' : `${rupiah(held)} held, `)
