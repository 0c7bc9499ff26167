import { setTimeout as pause } from 'node:timers/promises'
import type { Gapura, WebhookDelivery } from '@gapura/sdk'
import { type Command, Option } from 'commander'
import { type Cli, emptyText, type ModeChoice, modeColumn, modeFilterOption, yesOption } from './cli.ts'
import { deliveryColumns, eventTypeOption, outcomeOf, showDelivery, showSent } from './delivery-output.ts'
import { FailedError, UsageError } from './failure.ts'
import { addListen } from './listen.ts'
import { addLongListOptions, type ListFlags, showList } from './lists.ts'
import { note, printFacts, printJson, printLines, printSecret, time } from './output.ts'
import { confirm } from './terminal.ts'

const statuses = ['pending', 'delivered', 'permanently_failed', 'not_configured'] as const
type DeliveriesFlags = ListFlags & {
  mode?: ModeChoice
  status?: WebhookDelivery['status']
  type?: WebhookDelivery['type']
  payment?: string
}

const POLL_MS = 250
/**
 * The maximum number of milliseconds that the command waits for the result of a delivery attempt. The limit is above
 * 10 s, because an attempt takes up to 10 s and the worker may start it some seconds late.
 */
const LONGEST_WAIT_MS = 15_000

export function addWebhooks(program: Command, cli: Cli): void {
  const webhooks = program.command('webhooks').description('Webhook endpoint and deliveries')

  webhooks
    .command('show')
    .description('show the callback URL')
    .action(async () => {
      const { secret: _, ...endpoint } = await cli.connect('user').webhookEndpoint.get()
      showEndpoint(cli, endpoint)
    })

  webhooks
    .command('set-url')
    .description('set the callback URL')
    .argument('[url]', 'HTTPS URL with a public address')
    .option('--none', 'remove the callback URL; webhook events are still recorded, but not sent')
    .action(async (url: string | undefined, { none }: { none?: true }) => {
      if ((url === undefined) === (none === undefined)) throw new UsageError('pass either a URL or --none')
      const { secret: _, ...endpoint } = await cli.connect('user').webhookEndpoint.setUrl(url ?? null)
      showEndpoint(cli, endpoint)
      if (url !== undefined && !cli.json) note(cli, 'Next: gapura webhooks test')
    })

  webhooks
    .command('secret')
    .description('print only the secret that verifies webhooks')
    .action(async () => {
      const { secret } = await cli.connect('user').webhookEndpoint.get()
      if (cli.json) printJson(cli, { secret })
      else printLines(cli, [secret])
    })

  webhooks
    .command('rotate-secret')
    .description('create a new signing secret; for 24 hours, webhooks are also signed with the old secret')
    .option('--revoke-previous', 'immediately stop signing webhooks with all previous secrets')
    .addOption(yesOption())
    .action(async ({ revokePrevious = false, ...flags }: { revokePrevious?: boolean; yes?: true }) => {
      const gapura = cli.connect('user')
      if (revokePrevious)
        await confirm(
          cli,
          'The service will no longer sign webhooks with previous secrets, so receivers that still use a previous secret will reject the webhooks',
          flags,
        )
      const endpoint = await gapura.webhookEndpoint.rotateSecret({ revoke_previous: revokePrevious })
      if (cli.json) printJson(cli, endpoint)
      else {
        printSecret(cli, 'Your new webhook secret:', endpoint.secret)
        const until = endpoint.previous_secret_expires_at
        printLines(cli, [
          until === null
            ? 'Webhooks are no longer signed with the old secret; configure the new secret in your receiver now.'
            : `Webhooks are also signed with the old secret until ${time(until)}; accept both secrets in your receiver.`,
        ])
      }
    })

  const deliveries = webhooks
    .command('deliveries')
    .description('list webhook deliveries, newest first by default; "deliveries get" shows one')
  addLongListOptions(deliveries)
    .addOption(new Option('--status <status>', 'only deliveries with this status').choices(statuses))
    .addOption(eventTypeOption())
    .addOption(modeFilterOption('deliveries'))
    .option('--payment <payment>', 'only deliveries of webhooks about this payment (code or id)')
    .action(({ status, type, mode, payment, ...flags }: DeliveriesFlags) => {
      const gapura = cli.connect('user')
      const list = (page: object) =>
        gapura.webhookDeliveries.list({ status, type, mode, payment_id: payment, ...page })
      return showList(
        cli,
        flags,
        list,
        [...modeColumn(mode), ...deliveryColumns],
        emptyText(cli, mode, 'No webhooks found.', payment),
      )
    })

  deliveries
    .command('get')
    .description('show a webhook delivery: its body, and every delivery attempt')
    .argument('<id>', 'id of the event')
    .action(async (id: string) => showSent(cli, await cli.connect('user').webhookDeliveries.get(id)))

  webhooks
    .command('redeliver')
    .description('send one webhook again, or all failed webhooks')
    .argument('[id]', 'id of the event')
    .option(
      '--failed-since <time>',
      'resend all webhooks created since this time, such as 2026-11-20T00:00:00Z, that failed permanently or had no callback URL',
    )
    .addOption(modeFilterOption('failed webhooks'))
    .action(
      async (id: string | undefined, { failedSince, mode }: { failedSince?: string; mode?: ModeChoice }) => {
        if ((id === undefined) === (failedSince === undefined))
          throw new UsageError('pass either the id of an event or --failed-since')
        const gapura = cli.connect('user')
        if (id !== undefined) {
          const delivery = await gapura.webhookDeliveries.redeliver(id)
          showDelivery(cli, delivery, 'The webhook will be delivered again.')
          return
        }
        const answer = await gapura.webhookDeliveries.redeliverFailed({ since: failedSince ?? '', mode })
        if (cli.json) printJson(cli, answer)
        else
          printLines(cli, [
            `${answer.redelivered} webhooks will be delivered again. To follow them: gapura webhooks deliveries`,
          ])
      },
    )

  addListen(webhooks, cli)

  webhooks
    .command('test')
    .description('send a test webhook to the callback URL and show the result')
    .action(async () => {
      const gapura = cli.connect('user')
      const { callback_url: url } = await gapura.webhookEndpoint.get()
      if (url === null)
        throw new FailedError(
          'no callback URL for webhooks is set',
          'to set a callback URL, run gapura webhooks set-url <url>',
        )
      const { id } = await gapura.webhookEndpoint.sendTest()
      const delivery = await attempted(gapura, id)
      if (delivery.attempts.length === 0)
        throw new FailedError(
          `test webhook ${id} has not been sent yet`,
          "the service's webhook queue may be long; wait, then check again with gapura webhooks deliveries",
        )
      const delivered = delivery.status === 'delivered'
      showDelivery(
        cli,
        delivery,
        delivered ? 'Your receiver accepted the webhook.' : 'Your receiver did not accept the webhook.',
      )
      if (!delivered)
        throw new FailedError(
          `the first attempt to deliver the test webhook failed: ${outcomeOf(delivery)}`,
          'make sure that the callback URL responds with a 2xx status within 10 s (to print the URL, run gapura webhooks show)',
        )
    })
}

/**
 * Waits for the first delivery attempt, then returns the delivery. If there is no attempt within LONGEST_WAIT_MS,
 * returns the delivery without one.
 */
async function attempted(gapura: Gapura, id: string): Promise<WebhookDelivery> {
  for (let waitedMs = 0; ; waitedMs += POLL_MS) {
    const delivery = await gapura.webhookDeliveries.get(id)
    if (delivery.attempts.length > 0 || waitedMs >= LONGEST_WAIT_MS) return delivery
    await pause(POLL_MS)
  }
}

type ShownEndpoint = { callback_url: string | null; previous_secret_expires_at: string | null }

function showEndpoint(cli: Cli, endpoint: ShownEndpoint): void {
  if (cli.json) {
    printJson(cli, endpoint)
    return
  }
  const { callback_url: url, previous_secret_expires_at: end } = endpoint
  printFacts(
    cli,
    url === null ? 'No callback URL is set. Set one: gapura webhooks set-url <url>' : `Callback URL: ${url}`,
    [],
    [
      ['Secret', 'run gapura webhooks secret to print the secret'],
      ['Old secrets', end === null ? '' : `in use until ${time(end)}`],
    ],
  )
}
