import type { Session } from '@gapura/sdk'
import type { Command } from 'commander'
import { type Cli, yesOption } from './cli.ts'
import { addListOptions, type ListFlags, showList } from './lists.ts'
import { type Column, note, printJson, shortTime } from './output.ts'
import { confirm } from './terminal.ts'

const columns: Column<Session>[] = [
  { title: 'ID', value: session => session.id },
  { title: 'LAST USED', value: session => shortTime(session.last_used_at) },
  { title: 'ADDRESS', value: session => session.address ?? '' },
  { title: 'CURRENT', value: session => (session.is_current ? 'yes' : '') },
  { title: 'DEVICE', value: session => session.user_agent ?? '', cut: true, extra: true },
]

export function addSessions(program: Command, cli: Cli): void {
  const sessions = program.command('sessions').description('Open sessions of your user')

  addListOptions(sessions.command('list').description('list your open sessions')).action(
    (flags: ListFlags) => {
      const { account } = cli.connect('user')
      return showList(cli, flags, page => account.listSessions(page), columns, 'No sessions.')
    },
  )

  sessions
    .command('end')
    .description('end one of your sessions')
    .argument('<id>', 'id of the session')
    .action(async (id: string) => {
      const ended = await cli.connect('user').account.endSession(id)
      if (cli.json) printJson(cli, ended)
      else note(cli, `Session ${id} has ended.`)
    })

  sessions
    .command('end-others')
    .description('end all your sessions except the current one')
    .addOption(yesOption())
    .action(async (flags: { yes?: true }) => {
      const { account } = cli.connect('user')
      await confirm(cli, 'All your other sessions will end', flags)
      const result = await account.endOtherSessions()
      if (cli.json) printJson(cli, result)
      else note(cli, `Sessions ended: ${result.ended}.`)
    })
}
