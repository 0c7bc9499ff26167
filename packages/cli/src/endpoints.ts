import type { AdditionalWebhookEndpoint, ListedWebhookEndpoint, WebhookDelivery } from '@gapura/sdk'
import { type Command, Option } from 'commander'
import {
  type Cli,
  emptyText,
  type Mode,
  type ModeChoice,
  modeColumn,
  modeFilterOption,
  modeOption,
  yesOption,
} from './cli.ts'
import { deliveryColumns, eventTypeOption, eventTypes, showDelivery, showSent } from './delivery-output.ts'
import { UsageError } from './failure.ts'
import { addListOptions, addLongListOptions, type ListFlags, showList } from './lists.ts'
import { type Column, note, printFacts, printJson, printLines, printSecret, time } from './output.ts'
import { confirm } from './terminal.ts'

type EventType = WebhookDelivery['type']
type Schedule = ListedWebhookEndpoint['schedule']
type Choices = { description?: string; events?: EventType[]; schedule?: Schedule }
type CreateFlags = Choices & { mode: Mode; disabled?: true }
type UpdateFlags = Choices & { url?: string; enable?: true; disable?: true }
type DeliveriesFlags = ListFlags & {
  status?: (typeof statuses)[number]
  type?: EventType
  payment?: string
}

const statuses = ['pending', 'delivered', 'permanently_failed'] as const

const columns: Column<ListedWebhookEndpoint>[] = [
  { title: 'ID', value: endpoint => endpoint.id },
  { title: 'URL', value: endpoint => endpoint.url, cut: true },
  { title: 'STATE', value: stateOf },
  { title: 'SCHEDULE', value: endpoint => endpoint.schedule },
  { title: 'EVENTS', value: eventsOf, cut: true, extra: true },
  { title: 'DESCRIPTION', value: endpoint => endpoint.description, cut: true, extra: true },
]

export function addEndpoints(program: Command, cli: Cli): void {
  const endpoints = program
    .command('endpoints')
    .description('URLs that receive webhooks in addition to your callback URL')

  addListOptions(endpoints.command('list').description('list the endpoints of live or test mode'))
    .addOption(modeFilterOption('endpoints'))
    .action(({ mode, ...flags }: ListFlags & { mode?: ModeChoice }) => {
      const gapura = cli.connect('user')
      const list = (page: object) => gapura.webhookEndpoints.list({ mode, ...page })
      return showList(
        cli,
        flags,
        list,
        [...modeColumn(mode), ...columns],
        emptyText(
          cli,
          mode,
          'No webhook endpoints found. Create one: gapura endpoints create <url> --mode test',
        ),
      )
    })

  endpoints
    .command('get')
    .description('show an endpoint')
    .argument('<id>', 'id of the endpoint')
    .action(async (id: string) => show(cli, await cli.connect('user').webhookEndpoints.get(id), 'Endpoint'))

  endpoints
    .command('secret')
    .description("print only an endpoint's secret, which its receiver uses to verify webhooks")
    .argument('<id>', 'id of the endpoint')
    .action(async (id: string) => {
      const { secret } = await cli.connect('user').webhookEndpoints.get(id)
      if (cli.json) printJson(cli, { secret })
      else printLines(cli, [secret])
    })

  withChoices(
    endpoints
      .command('create')
      .description('create an endpoint')
      .argument('<url>', 'HTTPS URL with a public address')
      .addOption(
        modeOption('mode (test or live) of the events that the endpoint receives').makeOptionMandatory(),
      )
      .option(
        '--disabled',
        'create the endpoint without enabling it; it receives no events until you enable it',
      ),
  ).action(async (url: string, { mode, events, disabled, ...choices }: CreateFlags) => {
    const endpoint = await cli.connect('user').webhookEndpoints.create({
      ...{ url, mode, ...choices },
      ...(events && { event_types: events }),
      enabled: disabled === undefined,
    })
    show(cli, endpoint, 'Created')
  })

  withChoices(
    endpoints
      .command('update')
      .description('change an endpoint')
      .argument('<id>', 'id of the endpoint')
      .option('--url <url>', 'HTTPS URL with a public address')
      .option('--enable', 'send events again')
      .option(
        '--disable',
        'create the endpoint without enabling it; it receives no events until you enable it',
      ),
  ).action(async (id: string, { events, enable, disable, ...changes }: UpdateFlags) => {
    if (enable && disable) throw new UsageError('pass either --enable or --disable')
    const isEmpty = [events, enable, disable, ...Object.values(changes)].every(each => each === undefined)
    if (isEmpty) throw new UsageError('pass at least one option that changes the endpoint')
    const endpoint = await cli.connect('user').webhookEndpoints.update(id, {
      ...changes,
      ...(events && { event_types: events }),
      ...((enable || disable) && { enabled: enable === true }),
    })
    show(cli, endpoint, 'Changed')
  })

  endpoints
    .command('delete')
    .description('delete an endpoint permanently')
    .argument('<id>', 'id of the endpoint')
    .addOption(yesOption())
    .action(async (id: string, flags: { yes?: true }) => {
      const gapura = cli.connect('user')
      await confirm(
        cli,
        `Webhook endpoint ${id} will be deleted, and its waiting webhooks will not be sent`,
        flags,
      )
      const endpoint = await gapura.webhookEndpoints.delete(id)
      if (cli.json) printJson(cli, endpoint)
      else note(cli, `Deleted: ${endpoint.url} (${endpoint.mode}).`)
    })

  endpoints
    .command('rotate-secret')
    .description('create a new signing secret; for 24 hours, webhooks are also signed with the old secret')
    .argument('<id>', 'id of the endpoint')
    .option('--revoke-previous', 'immediately stop signing webhooks with all previous secrets')
    .addOption(yesOption())
    .action(
      async (id: string, { revokePrevious = false, ...flags }: { revokePrevious?: boolean; yes?: true }) => {
        const gapura = cli.connect('user')
        if (revokePrevious)
          await confirm(
            cli,
            'Webhooks to this endpoint will no longer be signed with its previous secrets',
            flags,
          )
        const endpoint = await gapura.webhookEndpoints.rotateSecret(id, { revoke_previous: revokePrevious })
        if (cli.json) printJson(cli, endpoint)
        else printSecret(cli, "The endpoint's new secret:", endpoint.secret)
      },
    )

  addDeliveries(endpoints, cli)
}

function addDeliveries(endpoints: Command, cli: Cli): void {
  const deliveries = endpoints
    .command('deliveries')
    .description(
      'list the webhook deliveries to an endpoint, newest first by default; to show one delivery, use "deliveries get"',
    )
  addLongListOptions(deliveries)
    .argument('<id>', 'id of the endpoint')
    .addOption(new Option('--status <status>', 'only deliveries with this status').choices(statuses))
    .addOption(eventTypeOption())
    .option('--payment <payment>', 'only deliveries of webhooks about this payment (code or id)')
    .action((id: string, { status, type, payment, ...flags }: DeliveriesFlags) => {
      const gapura = cli.connect('user')
      const list = (page: object) =>
        gapura.webhookEndpoints.listDeliveries(id, { status, type, payment_id: payment, ...page })
      return showList(cli, flags, list, deliveryColumns, 'No deliveries found.')
    })

  deliveries
    .command('get')
    .description('show a webhook delivery: its body, and every delivery attempt')
    .argument('<id>', 'id of the endpoint')
    .argument('<event>', 'id of the event')
    .action(async (id: string, event: string) =>
      showSent(cli, await cli.connect('user').webhookEndpoints.getDelivery(id, event)),
    )

  endpoints
    .command('redeliver')
    .description('deliver an event to an endpoint again')
    .argument('<id>', 'id of the endpoint')
    .argument('<event>', 'id of the event')
    .action(async (id: string, event: string) => {
      const delivery = await cli.connect('user').webhookEndpoints.redeliver(id, event)
      showDelivery(cli, delivery, 'The webhook will be delivered again.')
    })
}

/** Adds the options for a webhook endpoint's description, event types and retry schedule. */
const withChoices = (command: Command): Command =>
  command
    .option('--description <text>', 'text that helps you to recognize the webhook endpoint')
    .addOption(
      new Option(
        '--events <list>',
        `event types, separated by commas; "" for all (default: all). Types: ${eventTypes.join(', ')}`,
      ).argParser(typesIn),
    )
    .addOption(
      new Option(
        '--schedule <schedule>',
        'when a failed webhook is retried: short is 4 attempts, 10 s apart; long is 10 attempts within 3 days (default: short)',
      ).choices(['short', 'long']),
    )

function typesIn(text: string): EventType[] {
  const given = text
    .split(',')
    .map(each => each.trim())
    .filter(each => each !== '')
  const unknown = given.find(each => !eventTypes.some(type => type === each))
  if (unknown !== undefined) throw new UsageError(`unknown event type ${unknown}`)
  return given as EventType[]
}

function stateOf({ enabled }: ListedWebhookEndpoint): string {
  return enabled ? 'enabled' : 'disabled'
}

function eventsOf({ event_types: types }: ListedWebhookEndpoint): string {
  return types.length === 0 ? 'all' : types.join(', ')
}

function show(cli: Cli, { secret: _, ...endpoint }: AdditionalWebhookEndpoint, heading: string): void {
  if (cli.json) {
    printJson(cli, endpoint)
    return
  }
  const end = endpoint.previous_secret_expires_at
  printFacts(
    cli,
    `${heading}: ${endpoint.url}`,
    [],
    [
      ['ID', endpoint.id],
      ['Mode', endpoint.mode],
      ['State', stateOf(endpoint)],
      ['Description', endpoint.description],
      ['Events', eventsOf(endpoint)],
      ['Schedule', endpoint.schedule],
      ['Secret', `run gapura endpoints secret ${endpoint.id} to print the secret`],
      ['Old secret', end === null ? '' : `in use until ${time(end)}`],
    ],
  )
}
