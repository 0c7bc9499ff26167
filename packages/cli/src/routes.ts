// The provider accounts that a tenant may use, and the rules that select one for each payment.

import type { Entitlement, EntitlementInput, RoutingRule, RoutingRuleInput } from '@gapura/sdk'
import type { Command } from 'commander'
import type { Cli } from './cli.ts'
import { UsageError } from './failure.ts'
import { showRows } from './lists.ts'
import { type Column, printJson, rupiah } from './output.ts'
import { isTerminal, readJson } from './terminal.ts'

const NO_ENTITLEMENTS = 'It may use no provider account, so it cannot create payments yet.'
const NO_RULES = 'There are no rules: payments go by the priority of the entitlements.'

const entitlementColumns: Column<Entitlement>[] = [
  { title: 'PROVIDER ACCOUNT', value: each => each.provider_account_id },
  { title: 'PRIORITY', value: each => String(each.priority), right: true },
]

const ruleColumns: Column<RoutingRule>[] = [
  { title: 'POSITION', value: rule => String(rule.position), right: true },
  { title: 'METHOD', value: rule => rule.method_type ?? 'any' },
  { title: 'CHANNEL', value: rule => rule.channel ?? 'any' },
  { title: 'AMOUNT', value: amountsOf, cut: true },
  { title: 'PROVIDER ACCOUNT', value: rule => rule.provider_account_id },
  { title: 'WEIGHT', value: rule => String(rule.weight), right: true, extra: true },
]

export function addEntitlements(program: Command, cli: Cli): void {
  const entitlements = program.command('entitlements').description('Which provider accounts a tenant may use')

  entitlements
    .command('get')
    .description('list them in the order in which they are tried')
    .argument('<tenant>', 'id of the tenant')
    .action(async (tenant: string) => {
      const kept = await cli.connect('user').entitlements.get(tenant)
      if (cli.json) printJson(kept)
      else showRows(kept.items, entitlementColumns, NO_ENTITLEMENTS)
    })

  entitlements
    .command('set')
    .description('replace them all; rules for an account that is left out go with it')
    .argument('<tenant>', 'id of the tenant')
    .argument('[account...]', 'ids of provider accounts, the one to try first before the others')
    .option('--file <file>', 'or JSON as get --json prints it, - for stdin')
    .action(async (tenant: string, accounts: string[], { file }: { file?: string }) => {
      if (accounts.length > 0 === (file !== undefined))
        throw new UsageError(
          'give accounts, or --file',
          'for none at all: echo [] | gapura entitlements set <tenant> --file -',
        )
      const wanted =
        file === undefined
          ? accounts.map((id, index) => ({ provider_account_id: id, priority: index + 1 }))
          : itemsIn<EntitlementInput>(readJson(file), file)
      const kept = await cli.connect('user').entitlements.set(tenant, wanted)
      if (cli.json) printJson(kept)
      else showRows(kept.items, entitlementColumns, NO_ENTITLEMENTS)
    })
}

export function addRoutes(program: Command, cli: Cli): void {
  const routes = program
    .command('routes')
    .description('Which provider account takes which payment of a tenant')

  routes
    .command('get')
    .description('list the routing rules in the order in which they apply')
    .argument('<tenant>', 'id of the tenant')
    .action(async (tenant: string) => {
      const kept = await cli.connect('user').routingRules.get(tenant)
      if (cli.json) printJson(kept)
      else showRows(kept.items, ruleColumns, NO_RULES)
    })

  routes
    .command('set')
    .description('replace them all by JSON as get --json prints it')
    .argument('<tenant>', 'id of the tenant')
    .argument('[file]', 'where the JSON is; stdin without it')
    .addHelpText(
      'after',
      `
A rule is {"method_type", "channel", "min_amount", "max_amount", "provider_account_id", "weight"}; only the
account is needed, and what is left out, or null, meets every payment. Amounts are cents, bounds included.
Rules apply in their order; those of one "position" share by weight.

  gapura routes get <tenant> --json > rules.json
  gapura routes set <tenant> rules.json`,
    )
    .action(async (tenant: string, file = '-') => {
      if (file === '-' && isTerminal())
        throw new UsageError('there is no file', 'name one, or give the JSON on stdin')
      const wanted = itemsIn<RoutingRuleInput>(readJson(file), file)
      const kept = await cli.connect('user').routingRules.set(tenant, wanted)
      if (cli.json) printJson(kept)
      else showRows(kept.items, ruleColumns, NO_RULES)
    })
}

/** Accepts a list, or an object with `items` as the service returns it. The service validates the items. */
function itemsIn<Item>(json: unknown, file: string): Item[] {
  const items = Array.isArray(json) ? json : (json as { items?: unknown } | null)?.items
  if (!Array.isArray(items))
    throw new UsageError(
      `${file === '-' ? 'stdin' : file} holds no list`,
      'make it [ … ] or { "items": [ … ] }',
    )
  return items as Item[]
}

function amountsOf({ min_amount, max_amount }: RoutingRule): string {
  if (min_amount === null && max_amount === null) return 'any'
  if (max_amount === null) return `from ${rupiah(min_amount ?? 0)}`
  return min_amount === null ? `to ${rupiah(max_amount)}` : `${rupiah(min_amount)} to ${rupiah(max_amount)}`
}
