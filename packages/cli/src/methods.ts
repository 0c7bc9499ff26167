import type { ActiveMethods } from '@gapura/sdk'
import type { Command } from 'commander'
import type { Cli } from './cli.ts'
import { showRows } from './lists.ts'
import { type Column, printJson } from './output.ts'

type Row = { provider: string; method: string; channels: string }

const columns: Column<Row>[] = [
  { title: 'METHOD', value: row => row.method },
  { title: 'PROVIDER', value: row => row.provider },
  { title: 'CHANNELS', value: row => row.channels, cut: true },
]

export function addMethods(program: Command, cli: Cli): void {
  program
    .command('methods')
    .description('list the payment methods and channels with which you can create payments')
    .action(async () => {
      const active = await cli.connect('either').listActiveMethods()
      if (cli.json) printJson(cli, active)
      else
        showRows(
          cli,
          rowsOf(active),
          columns,
          "No payment method is active; ask this service's operator to activate one.",
        )
    })
}

const rowsOf = ({ providers }: ActiveMethods): Row[] =>
  providers.flatMap(({ code, methods }) =>
    methods.map(({ type, channels }) => ({
      provider: code,
      method: type,
      channels: channels.map(channel => channel.code).join(', '),
    })),
  )
