import type { Balance, LedgerEntry } from '@gapura/sdk'
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
}

/** What refunds and chargebacks hold of it until the operator decides. */
const heldOf = ({ held }: Balance): string => (held === 0 ? '' : `${rupiah(held)} held, `)
