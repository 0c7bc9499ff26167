// Commands that show and change the request limits for tiers and individual tenants. Only the Owner (the service's
// operator) may use them.

import type { Limit, TenantLimits, TierLimits } from '@gapura/sdk'
import { type Command, Option } from 'commander'
import { type Cli, whole } from './cli.ts'
import { UsageError } from './failure.ts'
import { showRows } from './lists.ts'
import { type Column, printFacts, printJson } from './output.ts'

const tiers = ['starter', 'growth', 'enterprise'] as const
type Target = { tier?: TierLimits['tier']; tenant?: string }
type Wanted = number | 'inherit'
type SetFlags = Target & {
  requestsPerSecond?: Wanted
  burstSeconds?: Wanted
  requestsInFlight?: Wanted
}

const columns: Column<TierLimits>[] = [
  { title: 'TIER', value: limits => limits.tier },
  { title: 'REQUESTS/SECOND', value: limits => shown(limits.requests_per_second), right: true },
  { title: 'BURST SECONDS', value: limits => shown(limits.burst_seconds), right: true },
  { title: 'IN FLIGHT', value: limits => shown(limits.requests_in_flight), right: true },
]

export function addLimits(program: Command, cli: Cli): void {
  const limits = program
    .command('limits')
    .description('Request limits for tiers and individual tenants (Owner only)')

  limits
    .command('list')
    .description('show the limits for all tiers, or for one tenant')
    .option('--tenant <id>', 'id of the tenant')
    .action(async ({ tenant }: Target) => {
      const gapura = cli.connect('user')
      if (tenant !== undefined) return show(cli, await gapura.limits.getTenant(tenant))
      const list = await gapura.limits.listTiers()
      if (cli.json) printJson(cli, list)
      else showRows(cli, list.items, columns, 'No tiers.')
    })

  addTarget(limits.command('set').description('change limits; limits that you omit stay as they are'))
    .addOption(
      limitOption(
        '--requests-per-second <n>',
        'number of requests per second that each API key and each user may send',
      ),
    )
    .addOption(
      limitOption(
        '--burst-seconds <n>',
        'burst size in seconds: after a pause, the unused requests of this many seconds may be sent at once',
      ),
    )
    .addOption(
      limitOption(
        '--requests-in-flight <n>',
        'how many requests of a tenant, from all its API keys and users, may be in flight at a time',
      ),
    )
    .action(async (flags: SetFlags) => {
      const body = {
        requests_per_second: sent(flags.requestsPerSecond),
        burst_seconds: sent(flags.burstSeconds),
        requests_in_flight: sent(flags.requestsInFlight),
      }
      if (Object.values(body).every(limit => limit === undefined))
        throw new UsageError('no limit given', 'pass at least one limit, such as --requests-per-second 80')
      const { limits } = cli.connect('user')
      await onTarget(flags, {
        tier: async name => show(cli, await limits.updateTier(name, body)),
        tenant: async id => show(cli, await limits.updateTenant(id, body)),
      })
    })

  addTarget(
    limits
      .command('reset')
      .description("reset a tier's limits to the defaults, or a tenant's limits to its tier's"),
  ).action(async (target: Target) => {
    const { limits } = cli.connect('user')
    await onTarget(target, {
      tier: async name => show(cli, await limits.resetTier(name)),
      tenant: async id => show(cli, await limits.resetTenant(id)),
    })
  })
}

const addTarget = (command: Command): Command =>
  command
    .addOption(
      new Option('--tier <tier>', 'change the limits of all tenants in this tier')
        .choices(tiers)
        .conflicts('tenant'),
    )
    .option('--tenant <id>', 'change the limits of this tenant')

const limitOption = (flags: string, description: string): Option =>
  new Option(flags, `${description}; "inherit" restores the inherited limit`).argParser(text =>
    text === 'inherit' ? text : whole(text),
  )

const sent = (wanted: Wanted | undefined): number | null | undefined => (wanted === 'inherit' ? null : wanted)

async function onTarget(
  { tier, tenant }: Target,
  act: { tier(name: TierLimits['tier']): Promise<void>; tenant(id: string): Promise<void> },
): Promise<void> {
  if (tier !== undefined) await act.tier(tier)
  else if (tenant !== undefined) await act.tenant(tenant)
  else throw new UsageError('no tier or tenant given', 'add --tier <tier> or --tenant <id>')
}

function show(cli: Cli, limits: TierLimits | TenantLimits): void {
  if (cli.json) {
    printJson(cli, limits)
    return
  }
  const isTenant = 'tenant_id' in limits
  printFacts(
    cli,
    isTenant ? `Limits of tenant ${limits.tenant_id}` : `Limits of tier ${limits.tier}`,
    [],
    [
      ['Tier', isTenant ? limits.tier : ''],
      ['Requests per second', shown(limits.requests_per_second)],
      ['Burst in seconds', shown(limits.burst_seconds)],
      ['Requests in flight', shown(limits.requests_in_flight)],
    ],
  )
}

const shown = ({ value, source }: Limit): string => `${value} (${source})`
