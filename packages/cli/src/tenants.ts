import type { Tenant } from '@gapura/sdk'
import { type Command, Option } from 'commander'
import { type Cli, yesOption } from './cli.ts'
import { UsageError } from './failure.ts'
import { addListOptions, type ListFlags, showList } from './lists.ts'
import { type Column, printFacts, printJson, shortTime, time } from './output.ts'
import { confirm } from './terminal.ts'

type CreateFlags = { name: string; role?: Tenant['role']; tier?: Tenant['tier']; parent?: string }

const tiers = ['starter', 'growth', 'enterprise'] as const

const columns: Column<Tenant>[] = [
  { title: 'ID', value: tenant => tenant.id },
  { title: 'NAME', value: tenant => tenant.name, cut: true },
  { title: 'ROLE', value: tenant => tenant.role },
  { title: 'STATUS', value: tenant => tenant.status },
  { title: 'TIER', value: tenant => tenant.tier, extra: true },
  { title: 'CREATED', value: tenant => shortTime(tenant.created_at), extra: true },
]

export function addTenants(program: Command, cli: Cli): void {
  const tenants = program.command('tenants').description('Tenants (Owner and Partners)')

  addListOptions(tenants.command('list').description('list the tenants that you manage')).action(
    (flags: ListFlags) => {
      const gapura = cli.connect('user')
      return showList(cli, flags, page => gapura.tenants.list(page), columns, 'No tenants yet.')
    },
  )

  tenants
    .command('create')
    .description('create a tenant; add its users, API keys and provider accounts afterwards')
    .requiredOption('--name <name>', 'name of the tenant')
    .addOption(
      new Option('--role <role>', 'role of the tenant (default: client)').choices([
        'client',
        'partner',
        'owner',
      ]),
    )
    .addOption(
      new Option(
        '--tier <tier>',
        "the tenant's tier, which determines its request limits (default: starter)",
      ).choices(tiers),
    )
    .option('--parent <id>', 'id of the Partner that the tenant belongs to')
    .action(async ({ name, role, tier, parent }: CreateFlags) => {
      const body = { name, role, tier, parent_id: parent }
      const tenant = await cli.connect('user').tenants.create(body)
      show(
        cli,
        tenant,
        `The tenant was created. Next, choose its provider accounts: gapura entitlements set ${tenant.id} <account id>`,
      )
    })

  tenants
    .command('get')
    .description('show a tenant')
    .argument('<id>', 'id of the tenant')
    .action(async (id: string) => show(cli, await cli.connect('user').tenants.get(id)))

  tenants
    .command('update')
    .description("change a tenant's name or tier; other values stay unchanged")
    .argument('<id>', 'id of the tenant')
    .option('--name <name>', 'new name')
    .addOption(new Option('--tier <tier>', 'new tier (Owner only)').choices(tiers))
    .action(async (id: string, { name, tier }: Pick<Partial<CreateFlags>, 'name' | 'tier'>) => {
      if (name === undefined && tier === undefined) throw new UsageError('pass --name or --tier')
      show(cli, await cli.connect('user').tenants.update(id, { name, tier }), 'Changed.')
    })

  tenants
    .command('suspend')
    .description(
      'suspend a tenant: its API keys and logins are rejected, but its existing payments can still be paid',
    )
    .argument('<id>', 'id of the tenant')
    .addOption(yesOption())
    .action(async (id: string, flags: { yes?: true }) => {
      const gapura = cli.connect('user')
      await confirm(cli, `All of tenant ${id}'s API keys and logins will be rejected`, flags)
      const tenant = await gapura.tenants.update(id, { status: 'suspended' })
      show(cli, tenant, `Suspended. To undo: gapura tenants resume ${id}`)
    })

  tenants
    .command('resume')
    .description("lift a tenant's suspension")
    .argument('<id>', 'id of the tenant')
    .action(async (id: string) =>
      show(cli, await cli.connect('user').tenants.update(id, { status: 'active' }), 'Resumed.'),
    )
}

function show(cli: Cli, tenant: Tenant, heading = `${tenant.name} is ${tenant.status}`): void {
  if (cli.json) {
    printJson(cli, tenant)
    return
  }
  printFacts(
    cli,
    heading,
    [],
    [
      ['Tenant', tenant.id],
      ['Name', tenant.name],
      ['Role', tenant.role],
      ['Tier', tenant.tier],
      ['Status', tenant.status],
      ['Partner', tenant.parent_id ?? ''],
      ['Created', time(tenant.created_at)],
    ],
  )
}
