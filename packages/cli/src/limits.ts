// Request limits of tiers and of individual tenants. Owner only.

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
    .description('Request limits of tiers and of single tenants, for the Owner')

  limits
    .command('list')
    .description('show the limits of every tier, or those in effect for one tenant')
    .option('--tenant <id>', 'id of the tenant')
    .action(async ({ tenant }: Target) => {
      const gapura = cli.connect('user')
      if (tenant !== undefined) return show(cli, await gapura.limits.ofTenant(tenant))
      const list = await gapura.limits.list()
      if (cli.json) printJson(list)
      else showRows(list.items, columns, 'There are no tiers.')
    })

  addTarget(limits.command('set').description('change limits; those that are not named stay'))
    .addOption(limitOption('--requests-per-second <n>', 'of each API key and of each user'))
    .addOption(limitOption('--burst-seconds <n>', 'a burst may hold the requests of so many seconds'))
    .addOption(limitOption('--requests-in-flight <n>', 'of a tenant, over all its keys and users'))
    .action(async (flags: SetFlags) => {
      const body = {
        requests_per_second: sent(flags.requestsPerSecond),
        burst_seconds: sent(flags.burstSeconds),
        requests_in_flight: sent(flags.requestsInFlight),
      }
      if (Object.values(body).every(limit => limit === undefined))
        throw new UsageError('there is no limit to set', 'name one, such as --requests-per-second 80')
      const { limits } = cli.connect('user')
      await onTarget(flags, {
        tier: async name => show(cli, await limits.update(name, body)),
        tenant: async id => show(cli, await limits.updateTenant(id, body)),
      })
    })

  addTarget(
    limits
      .command('reset')
      .description('return all limits of a tier to the defaults, or those of a tenant to its tier'),
  ).action(async (target: Target) => {
    const { limits } = cli.connect('user')
    await onTarget(target, {
      tier: async name => show(cli, await limits.reset(name)),
      tenant: async id => show(cli, await limits.resetTenant(id)),
    })
  })
}

const addTarget = (command: Command): Command =>
  command
    .addOption(new Option('--tier <tier>', 'every tenant of the tier').choices(tiers).conflicts('tenant'))
    .option('--tenant <id>', 'one tenant')

const limitOption = (flags: string, description: string): Option =>
  new Option(flags, `${description}; \`inherit\` removes it`).argParser(text =>
    text === 'inherit' ? text : whole(text),
  )

const sent = (wanted: Wanted | undefined): number | null | undefined => (wanted === 'inherit' ? null : wanted)

async function onTarget(
  { tier, tenant }: Target,
  act: { tier(name: TierLimits['tier']): Promise<void>; tenant(id: string): Promise<void> },
): Promise<void> {
  if (tier !== undefined) await act.tier(tier)
  else if (tenant !== undefined) await act.tenant(tenant)
  else throw new UsageError('there is no tier and no tenant', 'add --tier <tier> or --tenant <id>')
}

function show(cli: Cli, limits: TierLimits | TenantLimits): void {
  if (cli.json) {
    printJson(limits)
    return
  }
  const isTenant = 'tenant_id' in limits
  printFacts(
    isTenant ? `Limits of tenant ${limits.tenant_id}` : `Limits of the tier ${limits.tier}`,
    [],
    [
      ['Tier', isTenant ? limits.tier : ''],
      ['Requests a second', shown(limits.requests_per_second)],
      ['Burst, seconds', shown(limits.burst_seconds)],
      ['Requests in flight', shown(limits.requests_in_flight)],
    ],
  )
}

const shown = ({ value, source }: Limit): string => `${value} (${source})`
