import type { Gapura, Provider, ProviderAccount, ProviderHealth } from '@gapura/sdk'
import { type Command, InvalidArgumentError, Option } from 'commander'
import { type Cli, type Mode, modeOption } from './cli.ts'
import { FailedError, UsageError } from './failure.ts'
import { addListOptions, type ListFlags, showList, showRows } from './lists.ts'
import { type Column, printFacts, printJson, shortTime, time } from './output.ts'
import { ask, isTerminal, readJson } from './terminal.ts'

type CallbackFlags = {
  callbackSources?: string[]
  anySource?: true
  inquireAbove?: number
  neverInquire?: true
}
type AddFlags = CallbackFlags & { mode: Mode; name: string; baseUrl?: string; disabled?: true }
type UpdateFlags = CallbackFlags & {
  name?: string
  baseUrl?: string
  ownHost?: true
  enable?: true
  disable?: true
  credentials?: true
  previousHours?: number
}

const accountColumns: Column<ProviderAccount>[] = [
  { title: 'ID', value: account => account.id },
  { title: 'PROVIDER', value: account => account.provider_code },
  { title: 'MODE', value: account => account.mode },
  { title: 'ENABLED', value: account => (account.enabled ? 'yes' : 'no') },
  { title: 'NAME', value: account => account.name, cut: true },
  { title: 'ADDRESS', value: account => account.base_url ?? 'default', extra: true },
  { title: 'CREATED', value: account => shortTime(account.created_at), extra: true },
]

const circuits = { closed: 'healthy', open: 'unhealthy', half_open: 'recovering' }
const milliseconds = (ms: number | null) => (ms === null ? '' : `${ms.toLocaleString('id-ID')} ms`)

const healthColumns: Column<ProviderHealth>[] = [
  { title: 'PROVIDER', value: account => account.provider_code },
  { title: 'MODE', value: account => account.mode },
  { title: 'NAME', value: account => account.name, cut: true },
  { title: 'STATE', value: ({ enabled, circuit }) => (enabled ? circuits[circuit] : 'disabled') },
  { title: 'CHARGES', value: account => String(account.calls), right: true },
  {
    title: 'FAILED',
    value: ({ failure_rate }) => (failure_rate === null ? '' : `${Math.round(100 * failure_rate)} %`),
    right: true,
  },
  { title: 'SLOW', value: account => String(account.slow), right: true, extra: true },
  { title: 'P50', value: account => milliseconds(account.p50_latency_ms), right: true, extra: true },
  { title: 'P95', value: account => milliseconds(account.p95_latency_ms), right: true },
  { title: 'SINCE', value: account => shortTime(account.since), extra: true },
  { title: 'ID', value: account => account.account_id, extra: true },
]

export function addProviders(program: Command, cli: Cli): void {
  const providers = program
    .command('providers')
    .description('Payment providers, and your accounts at them (Owner only)')

  providers
    .command('list')
    .description('list providers with their methods and required credentials')
    .action(async () => {
      const list = await cli.connect('user').providers.list()
      if (cli.json) printJson(cli, list)
      else
        showRows(
          cli,
          list.items,
          [
            { title: 'CODE', value: provider => provider.code },
            { title: 'NAME', value: provider => provider.name },
            { title: 'CREDENTIALS', value: provider => provider.credentials.required.join(', '), cut: true },
            {
              title: 'METHODS',
              value: ({ methods }) =>
                methods
                  .map(({ type, channels }) => `${type} (${channels.map(each => each.code).join(' ')})`)
                  .join(', '),
              cut: true,
            },
          ],
          'No providers.',
        )
    })

  providers
    .command('health')
    .description(
      "show each provider account's success rate and latency in the last minute, and which accounts get no new payments",
    )
    .action(async () => {
      const list = await cli.connect('user').providers.listHealth()
      if (cli.json) printJson(cli, list)
      else showRows(cli, list.items, healthColumns, 'No accounts yet.')
    })

  addListOptions(providers.command('accounts').description('list accounts at a provider'))
    .argument('<provider>', 'code of the provider')
    .action((provider: string, flags: ListFlags) => {
      const gapura = cli.connect('user')
      return showList(
        cli,
        flags,
        page => gapura.providers.listAccounts(provider, page),
        accountColumns,
        `No provider accounts yet. Add one: gapura providers add-account ${provider}`,
      )
    })

  addCallbackOptions(providers.command('add-account'))
    .description('add a provider account; prompts for the credentials or reads them as JSON from stdin')
    .argument('<provider>', 'code of the provider')
    .addOption(modeOption('mode of the account; only live accounts move real money').makeOptionMandatory())
    .requiredOption('--name <name>', 'name of the account')
    .option('--base-url <url>', "use this URL instead of the provider's default")
    .option('--disabled', 'add the account without enabling it; it receives no payments until you enable it')
    .action(async (provider: string, { mode, name, baseUrl, disabled, ...flags }: AddFlags) => {
      const gapura = cli.connect('user')
      const credentials = await readCredentials(cli, gapura, provider)
      const settings = callbackSettings(flags)
      const body = { mode, name, credentials, base_url: baseUrl, enabled: !disabled, ...settings }
      const account = await gapura.providers.createAccount(provider, body)
      show(
        cli,
        account,
        `The account was added. Next, let a tenant use it: gapura entitlements set <tenant id> ${account.id}`,
      )
    })

  addCallbackOptions(providers.command('update-account'))
    .description('change a provider account; settings that you omit stay unchanged')
    .argument('<provider>', 'code of the provider')
    .argument('<id>', 'id of the provider account')
    .option('--name <name>', 'name of the account')
    .option('--base-url <url>', "use this URL instead of the provider's default")
    .addOption(new Option('--own-host', "use the provider's default URL again").conflicts('baseUrl'))
    .option('--enable', 'enable the account, so that it receives payments')
    .addOption(
      new Option(
        '--disable',
        'send no new payments to the account; existing payments can still be paid',
      ).conflicts('enable'),
    )
    .option('--credentials', 'replace all credentials; prompts for them or reads them as JSON from stdin')
    .option(
      '--previous-hours <hours>',
      'number of hours for which the replaced credentials still verify callbacks, 0 to 720 (default: 24)',
      wholeNumber,
    )
    .action(async (provider: string, id: string, flags: UpdateFlags) => {
      if (Object.keys(flags).length === 0) throw new UsageError('no changes given')
      const gapura = cli.connect('user')
      const account = await gapura.providers.updateAccount(provider, id, {
        name: flags.name,
        base_url: flags.ownHost ? null : flags.baseUrl,
        enabled: flags.enable ? true : flags.disable ? false : undefined,
        credentials: flags.credentials ? await readCredentials(cli, gapura, provider) : undefined,
        previous_credentials_hours: flags.previousHours,
        ...callbackSettings(flags),
      })
      show(cli, account, 'Changed.')
    })
}

/**
 * Adds two kinds of options to a command. They set the addresses from which a provider account accepts
 * callbacks, and the payments that a status inquiry must confirm.
 */
const addCallbackOptions = (command: Command): Command =>
  command
    .option(
      '--callback-sources <address...>',
      'IP addresses and networks from which the account accepts callbacks',
    )
    .addOption(new Option('--any-source', 'accept callbacks from any address').conflicts('callbackSources'))
    .option(
      '--inquire-above <cents>',
      'confirm payments above this amount with a status inquiry before crediting them; only for providers whose callbacks contain just a static token',
      wholeNumber,
    )
    .addOption(
      new Option(
        '--never-inquire',
        'credit payments without first confirming them with a status inquiry',
      ).conflicts('inquireAbove'),
    )

const callbackSettings = ({ callbackSources, anySource, inquireAbove, neverInquire }: CallbackFlags) => ({
  callback_sources: anySource ? [] : callbackSources,
  inquire_above: neverInquire ? null : inquireAbove,
})

function wholeNumber(given: string): number {
  if (!/^\d{1,15}$/.test(given)) throw new InvalidArgumentError('The value must be a whole number.')
  return Number(given)
}

/**
 * Reads credentials from stdin or from a prompt. They are not accepted as command-line arguments, which would be
 * visible to other processes and stored in the shell's history.
 */
async function readCredentials(cli: Cli, gapura: Gapura, code: string): Promise<Record<string, unknown>> {
  if (!isTerminal(cli)) {
    const credentials = await readJson(cli, '-')
    if (typeof credentials === 'object' && credentials !== null && !Array.isArray(credentials))
      return credentials as Record<string, unknown>
    throw new UsageError(
      'stdin does not contain a JSON object',
      "run gapura providers list --json to see the credentials' names",
    )
  }
  const { items } = await gapura.providers.list()
  const provider = items.find(each => each.code === code)
  if (!provider)
    throw new FailedError(`unknown provider ${code}`, `use one of ${items.map(each => each.code).join(', ')}`)
  return askCredentials(cli, provider)
}

async function askCredentials(cli: Cli, { credentials }: Provider): Promise<Record<string, unknown>> {
  const fields = Object.keys(credentials.properties)
  const isRequired = (field: string) => credentials.required.includes(field)
  const answers = await ask(
    cli,
    ...fields.map(field => ({
      text: `${field}${isRequired(field) ? '' : ' (optional)'}: `,
      hidden: true as const,
    })),
  )
  const given = fields.map((field, index) => [field, answers[index] ?? ''] as const)
  const missing = given.find(([field, value]) => isRequired(field) && value === '')
  if (missing) throw new UsageError(`${missing[0]} is required`, 'run the command again')
  return Object.fromEntries(given.filter(([, value]) => value !== ''))
}

function show(cli: Cli, account: ProviderAccount, heading: string): void {
  if (cli.json) {
    printJson(cli, account)
    return
  }
  printFacts(
    cli,
    heading,
    [],
    [
      ['Account', account.id],
      ['Provider', account.provider_code],
      ['Mode', account.mode],
      ['Name', account.name],
      ['Address', account.base_url ?? "the provider's default"],
      ['Enabled', account.enabled ? 'yes' : 'no'],
      // Older service versions do not return callback_sources.
      ['Callbacks from', account.callback_sources?.join(', ') || 'any address'],
      ...(account.previous_credentials ?? []).map(({ valid_until }): [string, string] => [
        'Previous credentials verify until',
        time(valid_until),
      ]),
      ['Changed', time(account.updated_at)],
    ],
  )
}
