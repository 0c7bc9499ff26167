import type { ApiKey, NewApiKey } from '@gapura/sdk'
import { type Command, Option } from 'commander'
import { type Cli, type Mode, modeOption, tenantIdOf, tenantOption, whole, yesOption } from './cli.ts'
import { changeProfile } from './config.ts'
import { FailedError, UsageError } from './failure.ts'
import { addListOptions, type ListFlags, showList } from './lists.ts'
import { type Column, note, printFacts, printJson, printSecret, shortTime, time } from './output.ts'
import { confirm } from './terminal.ts'

type TenantFlag = { tenant?: string }
type Scope = ApiKey['scopes'][number]
type LimitFlags = { scopes?: Scope[]; allowedIps?: string[] }
type CreateFlags = TenantFlag & LimitFlags & { mode: Mode; name?: string; save?: true }
type RotateFlags = TenantFlag & { graceMinutes?: number; save?: true; yes?: true }

const columns: Column<ApiKey>[] = [
  { title: 'ID', value: key => key.id },
  { title: 'NAME', value: key => key.name, cut: true },
  { title: 'MODE', value: key => key.mode },
  { title: 'STATE', value: stateOf },
  { title: 'SCOPES', value: key => key.scopes.join(', '), cut: true, extra: true },
  { title: 'ALLOWED IPS', value: key => key.allowed_ips.join(', '), cut: true, extra: true },
  { title: 'PREFIX', value: key => key.display_prefix, extra: true },
  { title: 'LAST USED', value: key => shortTime(key.last_used_at) || 'never', extra: true },
]

export function addKeys(program: Command, cli: Cli): void {
  const keys = program.command('keys').description('API keys for your applications')

  addListOptions(keys.command('list').description('list API keys, including revoked and expired ones'))
    .addOption(tenantOption())
    .action(({ tenant, ...flags }: ListFlags & TenantFlag) => {
      const gapura = cli.connect('user')
      return showList(
        cli,
        flags,
        page => (tenant === undefined ? gapura.account.listApiKeys(page) : gapura.apiKeys.list(tenant, page)),
        columns,
        'No API keys yet. Create one: gapura keys create --mode test',
      )
    })

  keys
    .command('create')
    .description('create an API key, which is shown only once')
    .addOption(modeOption('live keys move real money, test keys do not').makeOptionMandatory())
    .option('--name <name>', 'name of the key')
    .addOption(scopesOption())
    .addOption(allowedIpsOption())
    .addOption(tenantOption())
    .addOption(saveOption())
    .action(async ({ mode, name, scopes, allowedIps, tenant, save }: CreateFlags) => {
      const gapura = cli.connect('user')
      const key = await gapura.apiKeys.create(await tenantIdOf(gapura, tenant), {
        ...{ mode, name, scopes },
        allowed_ips: allowedIps,
      })
      await show(cli, key, save, '')
    })

  keys
    .command('update')
    .description("change an API key's scopes or allowed IP addresses")
    .argument('<id>', 'id of the key')
    .addOption(scopesOption())
    .addOption(allowedIpsOption())
    .addOption(tenantOption())
    .action(async (id: string, { scopes, allowedIps, tenant }: TenantFlag & LimitFlags) => {
      if (scopes === undefined && allowedIps === undefined)
        throw new UsageError('pass --scopes or --allowed-ips')
      const gapura = cli.connect('user')
      const key = await gapura.apiKeys.update(await tenantIdOf(gapura, tenant), id, {
        scopes,
        allowed_ips: allowedIps,
      })
      if (cli.json) printJson(cli, key)
      else
        printFacts(
          cli,
          `Changed: ${key.display_prefix}… (${key.name})`,
          [],
          [
            ['Scopes', key.scopes.join(', ') || 'all'],
            ['Allowed IPs', key.allowed_ips.join(', ') || 'all'],
          ],
        )
    })

  keys
    .command('rotate')
    .description(
      'replace an API key with a new key with the same name and mode; the new key is shown only once',
    )
    .argument('<id>', 'id of the key')
    .addOption(
      new Option(
        '--grace-minutes <n>',
        'number of minutes that the old key remains valid (default: 0)',
      ).argParser(whole),
    )
    .addOption(tenantOption())
    .addOption(saveOption())
    .addOption(yesOption())
    .action(async (id: string, { graceMinutes = 0, tenant, save, yes }: RotateFlags) => {
      const gapura = cli.connect('user')
      if (graceMinutes === 0)
        await confirm(cli, `API key ${id} will stop working immediately (--grace-minutes 0)`, { yes })
      const tenantId = await tenantIdOf(gapura, tenant)
      const key = await gapura.apiKeys.rotate(tenantId, id, { grace_minutes: graceMinutes })
      const end = graceMinutes === 0 ? 'no longer works' : `works for another ${graceMinutes} minutes`
      await show(cli, key, save, `The old key ${end}.`)
    })

  keys
    .command('revoke')
    .description('revoke a key immediately and permanently')
    .argument('<id>', 'id of the key')
    .addOption(tenantOption())
    .addOption(yesOption())
    .action(async (id: string, { tenant, yes }: TenantFlag & { yes?: true }) => {
      const gapura = cli.connect('user')
      await confirm(cli, `API key ${id} will be revoked immediately and permanently`, { yes })
      const key = await gapura.apiKeys.revoke(await tenantIdOf(gapura, tenant), id)
      if (cli.json) printJson(cli, key)
      else note(cli, `Revoked: ${key.display_prefix}… (${key.name}, ${key.mode}).`)
    })
}

const listOf = (text: string): string[] =>
  text
    .split(',')
    .map(each => each.trim())
    .filter(each => each !== '')

const scopesOption = () =>
  new Option(
    '--scopes <list>',
    'what the key can be used for: payments:read, payments:write, refunds, payouts or reports, separated by commas; "" for all. Default for a new key: all, or all except refunds and payouts if you have neither the permission finance nor admin',
  ).argParser(listOf)

const allowedIpsOption = () =>
  new Option(
    '--allowed-ips <list>',
    'IP addresses and networks from which the key can be used, separated by commas; "" for all (default: all)',
  ).argParser(listOf)

const saveOption = () =>
  new Option('--save', 'save the key in your profile, so that commands that require an API key use it')

function stateOf(key: ApiKey): string {
  if (key.revoked_at !== null) return 'revoked'
  if (key.expires_at === null) return 'active'
  return Date.parse(key.expires_at) > Date.now() ? `until ${shortTime(key.expires_at)}` : 'expired'
}

/**
 * Prints the new key first, so that it is not lost if a later step fails. The service never returns the key a
 * second time.
 */
async function show(cli: Cli, key: NewApiKey, save: true | undefined, then: string): Promise<void> {
  if (cli.json) printJson(cli, key)
  else {
    printSecret(
      cli,
      `Your new ${key.mode} API key. It is shown only once; store it in a safe place.`,
      key.key,
    )
    printFacts(
      cli,
      then ||
        (save
          ? 'Commands that require an API key now use this key'
          : 'To use it: export GAPURA_API_KEY=<key>'),
      [],
      [
        ['Key', key.id],
        ['Name', key.name],
        ['Mode', key.mode],
        ['Created', time(key.created_at)],
      ],
    )
  }
  if (!save) return
  const { profile, baseUrl } = cli
  await changeProfile(cli.env, profile, kept => {
    if (kept.base_url !== undefined && kept.base_url !== baseUrl)
      throw new FailedError(
        `the API key was created but not saved, because profile ${profile} belongs to another service, ${kept.base_url}`,
        'copy the key from the output above; or revoke the key, and create a new key with --profile set to a profile for this service',
      )
    return { ...kept, base_url: baseUrl, api_key: key.key }
  })
  note(cli, `Saved in profile ${profile}.`)
}
