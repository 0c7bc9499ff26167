import type { Tenant } from '@gapura/sdk'
import { type Command, Option } from 'commander'
import { type Cli, tenantIdOf, tenantOption, yesOption } from './cli.ts'
import { UsageError } from './failure.ts'
import { addListOptions, type ListFlags, showList } from './lists.ts'
import { type Column, printFacts, printJson, shortTime, time } from './output.ts'
import { confirm, readNewSecret } from './terminal.ts'

type CreateFlags = { name: string; role?: Tenant['role']; tier?: Tenant['tier']; parent?: string }

const columns: Column<Tenant>[] = [
  { title: 'ID', value: tenant => tenant.id },
  { title: 'NAME', value: tenant => tenant.name, cut: true },
  { title: 'ROLE', value: tenant => tenant.role },
  { title: 'STATUS', value: tenant => tenant.status },
  { title: 'TIER', value: tenant => tenant.tier, extra: true },
  { title: 'CREATED', value: tenant => shortTime(tenant.created_at), extra: true },
]

export function addTenants(program: Command, cli: Cli): void {
  const tenants = program.command('tenants').description('Tenants, for the Owner and for Partners')

  addListOptions(tenants.command('list').description('list the tenants that you manage')).action(
    (flags: ListFlags) => {
      const gapura = cli.connect('user')
      return showList(cli, flags, page => gapura.tenants.list(page), columns, 'There are no tenants yet.')
    },
  )

  tenants
    .command('create')
    .description('create a tenant: its users, keys and entitlements come after')
    .requiredOption('--name <name>', 'what it is called')
    .addOption(new Option('--role <role>', 'what it does (client)').choices(['client', 'partner', 'owner']))
    .addOption(
      new Option('--tier <tier>', 'how much it may ask (starter)').choices([
        'starter',
        'growth',
        'enterprise',
      ]),
    )
    .option('--parent <id>', 'the Partner that it belongs to')
    .action(async ({ name, role, tier, parent }: CreateFlags) => {
      const body = { name, role, tier, parent_id: parent }
      const tenant = await cli.connect('user').tenants.create(body)
      show(cli, tenant, `Created. Next: gapura entitlements set ${tenant.id} <account id>`)
    })

  tenants
    .command('get')
    .description('show a tenant')
    .argument('<id>', 'id of the tenant')
    .action(async (id: string) => show(cli, await cli.connect('user').tenants.get(id)))

  tenants
    .command('suspend')
    .description('refuse every key and log-in of a tenant; its payments can still be paid')
    .argument('<id>', 'id of the tenant')
    .addOption(yesOption())
    .action(async (id: string, flags: { yes?: true }) => {
      const gapura = cli.connect('user')
      await confirm(`All keys and log-ins of tenant ${id} will be refused`, flags)
      const tenant = await gapura.tenants.update(id, { status: 'suspended' })
      show(cli, tenant, `Suspended. To undo: gapura tenants resume ${id}`)
    })

  tenants
    .command('resume')
    .description('let a suspended tenant go on')
    .argument('<id>', 'id of the tenant')
    .action(async (id: string) =>
      show(cli, await cli.connect('user').tenants.update(id, { status: 'active' }), 'It can go on.'),
    )
}

function show(cli: Cli, tenant: Tenant, heading = `${tenant.name} is ${tenant.status}`): void {
  if (cli.json) {
    printJson(tenant)
    return
  }
  printFacts(
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

export function addUsers(program: Command, cli: Cli): void {
  const users = program.command('users').description('Who logs in for a tenant')

  addListOptions(users.command('list').description('list who logs in'))
    .addOption(tenantOption())
    .action(async (flags: ListFlags & { tenant?: string }) => {
      const gapura = cli.connect('user')
      const tenantId = await tenantIdOf(gapura, flags.tenant)
      await showList(
        cli,
        flags,
        page => gapura.users.list(tenantId, page),
        [
          { title: 'ID', value: user => user.id },
          { title: 'E-MAIL', value: user => user.email, cut: true },
          { title: 'CREATED', value: user => shortTime(user.created_at), extra: true },
        ],
        'Nobody logs in for this tenant yet: gapura users create',
      )
    })

  users
    .command('create')
    .description('let somebody log in; the password is asked for, or read from stdin')
    .requiredOption('--email <address>', 'of the user')
    .addOption(tenantOption())
    .action(async (flags: { email: string; tenant?: string }) => {
      const gapura = cli.connect('user')
      const password = await readNewSecret(`Password for ${flags.email}: `)
      if (password === '') throw new UsageError('there is no password', 'give it on stdin, or at a terminal')
      const tenantId = await tenantIdOf(gapura, flags.tenant)
      const user = await gapura.users.create(tenantId, { email: flags.email, password })
      if (cli.json) printJson(user)
      else
        printFacts(
          `${user.email} can log in: gapura login --email ${user.email}`,
          [],
          [
            ['User', user.id],
            ['Tenant', tenantId],
          ],
        )
    })
}
