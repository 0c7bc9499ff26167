import type { User } from '@gapura/sdk'
import { type Command, InvalidArgumentError, Option } from 'commander'
import { type Cli, tenantIdOf, tenantOption, yesOption } from './cli.ts'
import { UsageError } from './failure.ts'
import { addListOptions, type ListFlags, showList } from './lists.ts'
import { note, printFacts, printJson, shortTime } from './output.ts'
import { confirm, readNewSecret } from './terminal.ts'

type TenantFlag = { tenant?: string }
type CreateFlags = TenantFlag & { email: string; permissions?: User['permissions'] }
type UpdateFlags = TenantFlag & { permissions?: User['permissions']; status?: 'active' | 'disabled' }
type Permission = User['permissions'][number]
const permissions: readonly Permission[] = ['admin', 'developer', 'finance', 'support', 'viewer']

export function addUsers(program: Command, cli: Cli): void {
  const users = program.command('users').description('Users of a tenant')

  addListOptions(users.command('list').description('list users'))
    .addOption(tenantOption())
    .action(({ tenant, ...flags }: ListFlags & { tenant?: string }) => {
      const gapura = cli.connect('user')
      return showList(
        cli,
        flags,
        page => (tenant === undefined ? gapura.account.listUsers(page) : gapura.users.list(tenant, page)),
        [
          { title: 'ID', value: user => user.id },
          { title: 'EMAIL', value: user => user.email, cut: true },
          { title: 'PERMISSIONS', value: user => user.permissions.join(', ') },
          { title: 'STATUS', value: user => user.status },
          { title: 'CREATED', value: user => shortTime(user.created_at), extra: true },
        ],
        'No users yet. Invite one: gapura users invite --email <address>',
      )
    })

  users
    .command('create')
    .description('create a user; prompts for the password or reads it from stdin')
    .requiredOption('--email <address>', 'email address of the user')
    .addOption(permissionsOption('what the user may do (default: admin)'))
    .addOption(tenantOption())
    .action(async (flags: CreateFlags) => {
      const gapura = cli.connect('user')
      const password = await readNewSecret(cli, `Password for ${flags.email}: `)
      if (password === '')
        throw new UsageError(
          'no password given',
          'pass the password on stdin, or run the command in a terminal',
        )
      const tenantId = await tenantIdOf(gapura, flags.tenant)
      const user = await gapura.users.create(tenantId, {
        email: flags.email,
        password,
        permissions: flags.permissions,
      })
      if (cli.json) printJson(cli, user)
      else
        printFacts(
          cli,
          `${user.email} can log in: gapura login --email ${user.email}`,
          [],
          [
            ['User', user.id],
            ['Tenant', tenantId],
          ],
        )
    })

  users
    .command('invite')
    .description('invite a user by email; the user chooses a password')
    .requiredOption('--email <address>', 'email address of the user')
    .addOption(permissionsOption('what the user may do (default: admin)'))
    .addOption(tenantOption())
    .action(async ({ tenant, email, permissions }: CreateFlags) => {
      const gapura = cli.connect('user')
      const user = await gapura.users.create(await tenantIdOf(gapura, tenant), { email, permissions })
      showUser(cli, user, `An invitation was sent to ${user.email}. The link works for 7 days.`)
    })

  users
    .command('reset-second-factor')
    .description('remove all second factors from a user who has lost them')
    .argument('<id>', 'id of the user')
    .addOption(tenantOption())
    .addOption(yesOption())
    .action(async (id: string, { tenant, yes }: TenantFlag & { yes?: true }) => {
      const gapura = cli.connect('user')
      await confirm(cli, `User ${id} will need only the password for the next login`, { yes })
      const reset = await gapura.users.resetSecondFactor(await tenantIdOf(gapura, tenant), id)
      if (cli.json) printJson(cli, reset)
      else
        note(cli, `All second factors of user ${id} were removed, and all of the user's sessions have ended.`)
    })

  users
    .command('resend-invitation')
    .description("send a new invitation; the earlier invitation's link stops working")
    .argument('<id>', 'id of the user')
    .addOption(tenantOption())
    .action(async (id: string, { tenant }: TenantFlag) => {
      const gapura = cli.connect('user')
      const user = await gapura.users.resendInvitation(await tenantIdOf(gapura, tenant), id)
      showUser(cli, user, `An invitation was sent to ${user.email}.`)
    })

  users
    .command('update')
    .description("change a user's permissions, or disable or enable the user")
    .argument('<id>', 'id of the user')
    .addOption(permissionsOption('new permissions'))
    .addOption(
      new Option('--status <status>', 'a disabled user cannot log in').choices(['active', 'disabled']),
    )
    .addOption(tenantOption())
    .action(async (id: string, { tenant, permissions, status }: UpdateFlags) => {
      if (permissions === undefined && status === undefined)
        throw new UsageError('pass --permissions or --status')
      const gapura = cli.connect('user')
      const user = await gapura.users.update(await tenantIdOf(gapura, tenant), id, { permissions, status })
      showUser(cli, user, 'Changed.')
    })

  users
    .command('remove')
    .description("remove a user or an invitation; all of the user's sessions end")
    .argument('<id>', 'id of the user')
    .addOption(tenantOption())
    .addOption(yesOption())
    .action(async (id: string, { tenant, yes }: TenantFlag & { yes?: true }) => {
      const gapura = cli.connect('user')
      await confirm(cli, `User ${id} will be removed and can no longer log in`, { yes })
      const removed = await gapura.users.remove(await tenantIdOf(gapura, tenant), id)
      if (cli.json) printJson(cli, removed)
      else note(cli, `Removed user ${id}.`)
    })
}

function showUser(cli: Cli, user: User, heading: string): void {
  if (cli.json) printJson(cli, user)
  else
    printFacts(
      cli,
      heading,
      [],
      [
        ['User', user.id],
        ['Email', user.email],
        ['Permissions', user.permissions.join(', ')],
        ['Status', user.status],
      ],
    )
}

const permissionsOption = (description: string) =>
  new Option(
    '--permissions <list>',
    `${description}: ${permissions.join(', ')}, separated by commas`,
  ).argParser(permissionsIn)

function permissionsIn(text: string): Permission[] {
  const named = text.split(',').map(each => each.trim())
  const unknown = named.find(each => !permissions.includes(each as Permission))
  if (unknown !== undefined)
    throw new InvalidArgumentError(
      `${unknown || 'An empty name'} is not a permission; use ${permissions.join(', ')}.`,
    )
  return named as Permission[]
}
