// `gapura routes preview`: shows which provider accounts would be tried for a payment, and why.

import type { RouteCandidate } from '@gapura/sdk'
import { type Command, Option } from 'commander'
import { type Cli, type Mode, modeOption, whole } from './cli.ts'
import { UsageError } from './failure.ts'
import { showRows } from './lists.ts'
import { type Column, printJson } from './output.ts'

const methods = ['virtual_account', 'qris', 'e_wallet', 'over_the_counter'] as const
type Flags = {
  mode: Mode
  method: (typeof methods)[number]
  channel?: string
  amount?: number
  rupiah?: number
}

const columns: Column<RouteCandidate>[] = [
  { title: 'PLACE', value: candidate => String(candidate.place), right: true },
  { title: 'CHANCE', value: candidate => `${Math.round(candidate.chance * 100)} %`, right: true },
  { title: 'PROVIDER', value: candidate => candidate.provider },
  { title: 'BECAUSE OF', value: reasonOf },
  { title: 'CIRCUIT', value: candidate => candidate.circuit },
  {
    title: 'ACCOUNT',
    value: candidate => candidate.name ?? candidate.provider_account_id,
    cut: true,
    extra: true,
  },
]

export function addRoutePreview(routes: Command, cli: Cli): void {
  routes
    .command('preview')
    .description(
      'show which provider accounts a payment would be sent to, in the order they are tried; creates no payment',
    )
    .argument('<tenant>', 'id of the tenant')
    .addOption(modeOption('mode of the payment').makeOptionMandatory())
    .addOption(new Option('--method <type>', 'payment method').choices(methods).makeOptionMandatory())
    .option(
      '--channel <code>',
      'code of the bank, e-wallet or store, such as BCA; omit it for the method qris',
    )
    .addOption(new Option('--amount <cents>', 'amount in cents: Rp100,000 is 10000000').argParser(whole))
    .addOption(
      new Option('--rupiah <rupiah>', 'amount in whole rupiah, instead of --amount')
        .argParser(whole)
        .conflicts('amount'),
    )
    .action(async (tenant: string, flags: Flags) => {
      const amount = flags.amount ?? (flags.rupiah === undefined ? undefined : flags.rupiah * 100)
      if (amount === undefined) throw new UsageError('pass --amount (in cents) or --rupiah')
      const channel = flags.method === 'qris' ? 'qris' : flags.channel
      if (channel === undefined) throw new UsageError(`--channel is required with --method ${flags.method}`)
      const query = { mode: flags.mode, method_type: flags.method, channel, amount }
      const preview = await cli.connect('user').routingRules.preview(tenant, query)
      if (cli.json) printJson(cli, preview)
      else
        showRows(
          cli,
          preview.items,
          columns,
          "None of the tenant's enabled provider accounts offers this channel.",
        )
    })
}

function reasonOf({ source, rule_position, priority, refusal }: RouteCandidate): string {
  const reason = source === 'rule' ? `rule ${rule_position}` : `priority ${priority}`
  return refusal === null ? reason : `${reason}; refused: ${refusal}`
}
