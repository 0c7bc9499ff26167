import type { Notifications } from '@gapura/sdk'
import { type Command, InvalidArgumentError } from 'commander'
import { type Cli, onOrOff } from './cli.ts'
import { showRows } from './lists.ts'
import { type Column, printJson } from './output.ts'

/**
 * The kinds of problems that users get emails about, each with its description. `gapura notifications set` accepts
 * these kinds.
 */
const problems: Record<keyof Notifications, string> = {
  receiver_failing: 'your webhook receiver has failed for an hour',
  key_expiring: 'an API key was used after its rotation and expires soon',
  unexpected_money:
    "received live money matches no open payment and waits for a decision in the dashboard's Inbox",
  outcome_unknown: 'a live charge or refund has an unknown outcome',
  provider_down: 'a provider account is unavailable',
  success_rate_falling: 'at a live provider account, a smaller share of payments than usual is paid',
}

type Kind = keyof typeof problems
type Row = { kind: Kind; isOn: boolean }

const columns: Column<Row>[] = [
  { title: 'KIND', value: row => row.kind },
  { title: 'MAIL', value: row => (row.isOn ? 'on' : 'off') },
  { title: 'PROBLEM', value: row => problems[row.kind], cut: true },
]

export function addNotifications(program: Command, cli: Cli): void {
  const notifications = program.command('notifications').description('Emails to your user about problems')

  notifications
    .command('list')
    .description('show which emails about problems you get')
    .action(async () => show(cli, await cli.connect('user').account.getNotifications()))

  notifications
    .command('set')
    .description('turn emails about one kind of problem on or off for your user')
    .argument('<kind>', Object.keys(problems).join(', '), parseKind)
    .argument('<on|off>', 'on or off', onOrOff)
    .action(async (kind: Kind, isOn: boolean) => {
      show(cli, await cli.connect('user').account.updateNotifications({ [kind]: isOn }))
    })
}

function show(cli: Cli, shown: Notifications): void {
  const rows = Object.entries(shown).map(([kind, isOn]) => ({ kind: kind as Kind, isOn: isOn === true }))
  if (cli.json) printJson(cli, shown)
  else
    showRows(
      cli,
      rows,
      columns,
      'There are no emails about problems for users with your role and permissions.',
    )
}

function parseKind(typed: string): Kind {
  if (typed in problems) return typed as Kind
  throw new InvalidArgumentError(`The kind must be one of ${Object.keys(problems).join(', ')}.`)
}
