import type { ApiKey, NewApiKey } from '@gapura/sdk'
import { type Command, Option } from 'commander'
import { type Cli, type Mode, modeOption, tenantIdOf, tenantOption, whole, yesOption } from './cli.ts'
import { changeProfile } from './config.ts'
import { FailedError } from './failure.ts'
import { addListOptions, type ListFlags, showList } from './lists.ts'
import { type Column, note, printFacts, printJson, printSecret, shortTime, time } from './output.ts'
import { confirm } from './terminal.ts'

type TenantFlag = { tenant?: string }
type CreateFlags = TenantFlag & { mode: Mode; name?: string; save?: true }
type RotateFlags = TenantFlag & { graceMinutes?: number; save?: true; yes?: true }

const columns: Column<ApiKey>[] = [
  { title: 'ID', value: key => key.id },
  { title: 'NAME', value: key => key.name, cut: true },
  { title: 'MODE', value: key => key.mode },
  { title: 'STATE', value: stateOf },
  { title: 'BEGINS', value: key => key.display_prefix, extra: true },
  { title: 'LAST USED', value: key => shortTime(key.last_used_at) || 'never', extra: true },
]

export function addKeys(program: Command, cli: Cli): void {
  const keys = program.command('keys').description('API keys, with which applications call')

  addListOptions(keys.command('list').description('list the keys, those that no longer work among them'))
    .addOption(tenantOption())
    .action(({ tenant, ...flags }: ListFlags & TenantFlag) => {
      const gapura = cli.connect('user')
      return showList(
        cli,
        flags,
        page => (tenant === undefined ? gapura.account.apiKeys(page) : gapura.apiKeys.list(tenant, page)),
        columns,
        'There are no keys yet: gapura keys create --mode test',
      )
    })

  keys
    .command('create')
    .description('make a key; it is shown once')
    .addOption(modeOption('live moves real money, test none').makeOptionMandatory())
    .option('--name <name>', 'what it is for')
    .addOption(tenantOption())
    .addOption(saveOption())
    .action(async ({ mode, name, tenant, save }: CreateFlags) => {
      const gapura = cli.connect('user')
      const key = await gapura.apiKeys.create(await tenantIdOf(gapura, tenant), { mode, name })
      await show(cli, key, save, '')
    })

  keys
    .command('rotate')
    .description('replace a key by a new one of the same name and mode, which is shown once')
    .argument('<id>', 'id of the key')
    .addOption(new Option('--grace-minutes <n>', 'how long the old key lives on (0)').argParser(whole))
    .addOption(tenantOption())
    .addOption(saveOption())
    .addOption(yesOption())
    .action(async (id: string, { graceMinutes = 0, tenant, save, yes }: RotateFlags) => {
      const gapura = cli.connect('user')
      if (graceMinutes === 0) await confirm(`Key ${id} stops working at once (--grace-minutes 0)`, { yes })
      const tenantId = await tenantIdOf(gapura, tenant)
      const key = await gapura.apiKeys.rotate(tenantId, id, { grace_minutes: graceMinutes })
      const end = graceMinutes === 0 ? 'no longer works' : `works for ${graceMinutes} minutes more`
      await show(cli, key, save, `The old key ${end}.`)
    })

  keys
    .command('revoke')
    .description('end a key, at once and for good')
    .argument('<id>', 'id of the key')
    .addOption(tenantOption())
    .addOption(yesOption())
    .action(async (id: string, { tenant, yes }: TenantFlag & { yes?: true }) => {
      const gapura = cli.connect('user')
      await confirm(`Key ${id} stops working at once, for good`, { yes })
      const key = await gapura.apiKeys.revoke(await tenantIdOf(gapura, tenant), id)
      if (cli.json) printJson(key)
      else note(`Revoked: ${key.display_prefix}… (${key.name}, ${key.mode}).`)
    })
}

const saveOption = () => new Option('--save', 'keep it in the profile, for gapura payments create')

function stateOf(key: ApiKey): string {
  if (key.revoked_at !== null) return 'revoked'
  if (key.expires_at === null) return 'works'
  return Date.parse(key.expires_at) > Date.now() ? `until ${shortTime(key.expires_at)}` : 'ended'
}

/** Shows the key before anything else, because the service never returns it again if a later step fails. */
async function show(cli: Cli, key: NewApiKey, save: true | undefined, then: string): Promise<void> {
  if (cli.json) printJson(key)
  else {
    printSecret(`Your new ${key.mode} key. It is shown this once: keep it where secrets are kept.`, key.key)
    printFacts(
      then ||
        (save ? 'gapura payments create uses it from now on' : 'To use it: export GAPURA_API_KEY=<the key>'),
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
  await changeProfile(profile, kept => {
    if (kept.base_url !== undefined && kept.base_url !== baseUrl)
      throw new FailedError(
        `the key is made, but not kept: profile ${profile} is of ${kept.base_url}`,
        'keep it yourself, or revoke it and make another with a --profile for this address',
      )
    return { ...kept, base_url: baseUrl, api_key: key.key }
  })
  note(`Kept in profile ${profile}.`)
}
