// Commands for the provider accounts that a tenant may use, and for the routing rules that select one of these accounts
// for each payment.

import type { Entitlement, EntitlementInput, RoutingRule, RoutingRuleInput } from '@gapura/sdk'
import type { Command } from 'commander'
import type { Cli } from './cli.ts'
import { UsageError } from './failure.ts'
import { showRows } from './lists.ts'
import { type Column, printJson, rupiah } from './output.ts'
import { addRoutePreview } from './route-preview.ts'
import { isTerminal, readJson } from './terminal.ts'

const NO_ENTITLEMENTS = 'The tenant has no provider account to use yet, so it cannot create payments.'
const NO_RULES =
  'No routing rules. The provider accounts are tried in the order of their priority; to list them, run gapura entitlements get.'

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
  const entitlements = program.command('entitlements').description('Provider accounts that a tenant may use')

  entitlements
    .command('get')
    .description('list the provider accounts that a tenant may use, in the order they are tried')
    .argument('<tenant>', 'id of the tenant')
    .action(async (tenant: string) => {
      const kept = await cli.connect('user').entitlements.get(tenant)
      if (cli.json) printJson(cli, kept)
      else showRows(cli, kept.items, entitlementColumns, NO_ENTITLEMENTS)
    })

  entitlements
    .command('set')
    .description(
      'replace the list of provider accounts that a tenant may use; deletes the routing rules for accounts that you omit',
    )
    .argument('<tenant>', 'id of the tenant')
    .argument('[account...]', 'ids of provider accounts, in order of priority')
    .option(
      '--file <file>',
      'read the accounts from this JSON file, in the format of "entitlements get --json"; use - to read from stdin',
    )
    .action(async (tenant: string, accounts: string[], { file }: { file?: string }) => {
      if (accounts.length > 0 === (file !== undefined))
        throw new UsageError(
          'pass either provider accounts or --file',
          'to remove all provider accounts: echo [] | gapura entitlements set <tenant> --file -',
        )
      const wanted =
        file === undefined
          ? accounts.map((id, index) => ({ provider_account_id: id, priority: index + 1 }))
          : itemsIn<EntitlementInput>(await readJson(cli, file), file)
      const kept = await cli.connect('user').entitlements.set(tenant, wanted)
      if (cli.json) printJson(cli, kept)
      else showRows(cli, kept.items, entitlementColumns, NO_ENTITLEMENTS)
    })
}

export function addRoutes(program: Command, cli: Cli): void {
  const routes = program
    .command('routes')
    .description('Routing rules: which provider account handles a payment')

  routes
    .command('get')
    .description("list a tenant's routing rules in the order they apply")
    .argument('<tenant>', 'id of the tenant')
    .action(async (tenant: string) => {
      const kept = await cli.connect('user').routingRules.get(tenant)
      if (cli.json) printJson(cli, kept)
      else showRows(cli, kept.items, ruleColumns, NO_RULES)
    })

  routes
    .command('set')
    .description('replace all of a tenant\'s routing rules with JSON in the format of "routes get --json"')
    .argument('<tenant>', 'id of the tenant')
    .argument('[file]', 'JSON file (default: stdin)')
    .addHelpText(
      'after',
      `
A rule is {"method_type", "channel", "min_amount", "max_amount", "provider_account_id", "weight"}; only
provider_account_id is required. A field that is omitted or null matches every payment. Amounts are in cents and
inclusive. Rules apply in order; rules with the same "position" share payments by weight.

  gapura routes get <tenant> --json > rules.json
  gapura routes set <tenant> rules.json`,
    )
    .action(async (tenant: string, file = '-') => {
      if (file === '-' && isTerminal(cli))
        throw new UsageError('no file given', 'pass a file, or the JSON on stdin')
      const wanted = itemsIn<RoutingRuleInput>(await readJson(cli, file), file)
      const kept = await cli.connect('user').routingRules.set(tenant, wanted)
      if (cli.json) printJson(cli, kept)
      else showRows(cli, kept.items, ruleColumns, NO_RULES)
    })

  addRoutePreview(routes, cli)
}

/**
 * Parses a JSON list of routing rules, or an object whose field `items` contains the list, as in the
 * service's responses. The service validates the rules.
 */
function itemsIn<Item>(json: unknown, file: string): Item[] {
  const items = Array.isArray(json) ? json : (json as { items?: unknown } | null)?.items
  if (!Array.isArray(items))
    throw new UsageError(
      `${file === '-' ? 'stdin' : file} does not contain a list`,
      'use the format [ … ] or { "items": [ … ] }',
    )
  return items as Item[]
}

function amountsOf({ min_amount, max_amount }: RoutingRule): string {
  if (min_amount === null && max_amount === null) return 'any'
  if (max_amount === null) return `at least ${rupiah(min_amount ?? 0)}`
  return min_amount === null
    ? `up to ${rupiah(max_amount)}`
    : `${rupiah(min_amount)} to ${rupiah(max_amount)}`
}
