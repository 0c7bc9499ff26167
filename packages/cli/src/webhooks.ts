import { setTimeout as pause } from 'node:timers/promises'
import type { Gapura, WebhookDelivery } from '@gapura/sdk'
import { type Command, Option } from 'commander'
import { type Cli, yesOption } from './cli.ts'
import { FailedError, UsageError } from './failure.ts'
import { addListen } from './listen.ts'
import { addListOptions, type ListFlags, showList } from './lists.ts'
import {
  type Column,
  note,
  printFacts,
  printJson,
  printLines,
  printSecret,
  shortTime,
  time,
} from './output.ts'
import { confirm } from './terminal.ts'

const statuses = ['pending', 'delivered', 'permanently_failed', 'not_configured'] as const
type DeliveriesFlags = ListFlags & { status?: WebhookDelivery['status']; payment?: string }

const POLL_MS = 250
/** An attempt takes up to 10 s; the rest is for the worker to start it. */
const LONGEST_WAIT_MS = 15_000

const columns: Column<WebhookDelivery>[] = [
  { title: 'ID', value: delivery => delivery.id },
  { title: 'TYPE', value: delivery => delivery.type },
  { title: 'STATUS', value: delivery => delivery.status },
  { title: 'LAST ATTEMPT', value: outcomeOf, cut: true, extra: true },
  { title: 'CREATED', value: delivery => shortTime(delivery.created_at), extra: true },
  { title: 'MODE', value: delivery => delivery.mode, extra: true },
  { title: 'PAYMENT', value: delivery => delivery.payment_id ?? '', extra: true },
]

export function addWebhooks(program: Command, cli: Cli): void {
  const webhooks = program.command('webhooks').description('Where your webhooks go, and how that went')

  webhooks
    .command('show')
    .description('show the callback URL')
    .action(async () => {
      const { secret: _, ...endpoint } = await cli.connect('user').webhooks.get()
      showEndpoint(cli, endpoint)
    })

  webhooks
    .command('set-url')
    .description('set where webhooks go')
    .argument('[url]', 'https, and a public address')
    .option('--none', 'nowhere; events are still recorded')
    .action(async (url: string | undefined, { none }: { none?: true }) => {
      if ((url === undefined) === (none === undefined)) throw new UsageError('give an address or --none')
      const { secret: _, ...endpoint } = await cli.connect('user').webhooks.setUrl(url ?? null)
      showEndpoint(cli, endpoint)
      if (url !== undefined && !cli.json) note('Next: gapura webhooks test')
    })

  webhooks
    .command('secret')
    .description('print the secret that verifies webhooks, and nothing else')
    .action(async () => {
      const { secret } = await cli.connect('user').webhooks.get()
      if (cli.json) printJson({ secret })
      else printLines([secret])
    })

  webhooks
    .command('rotate-secret')
    .description('make a new secret; the old one signs too for 24 hours')
    .option('--revoke-previous', 'every secret before the new one stops signing at once')
    .addOption(yesOption())
    .action(async ({ revokePrevious = false, ...flags }: { revokePrevious?: boolean; yes?: true }) => {
      const gapura = cli.connect('user')
      if (revokePrevious)
        await confirm('Every secret before the new one stops at once, and a receiver with it refuses', flags)
      const endpoint = await gapura.webhooks.rotateSecret({ revoke_previous: revokePrevious })
      if (cli.json) printJson(endpoint)
      else {
        printSecret('Your new webhook secret:', endpoint.secret)
        const until = endpoint.previous_secret_expires_at
        printLines([
          until === null
            ? 'The old one signs no more; give your receiver the new one now.'
            : `The old one signs too until ${time(until)}; give your receiver both.`,
        ])
      }
    })

  addListOptions(webhooks.command('deliveries').description('list your webhooks, newest first'))
    .addOption(new Option('--status <status>', 'only those').choices(statuses))
    .option('--payment <id>', 'of this payment only')
    .action(({ status, payment, ...flags }: DeliveriesFlags) => {
      const gapura = cli.connect('user')
      const list = (page: object) => gapura.webhooks.deliveries({ status, payment_id: payment, ...page })
      return showList(cli, flags, list, columns, 'There are no such webhooks.')
    })

  webhooks
    .command('redeliver')
    .description('deliver one again, or all that failed')
    .argument('[id]', 'id of the event')
    .option(
      '--failed-since <time>',
      'all that failed for good, or had nowhere to go, since 2026-11-20T00:00:00Z',
    )
    .action(async (id: string | undefined, { failedSince }: { failedSince?: string }) => {
      if ((id === undefined) === (failedSince === undefined))
        throw new UsageError('give an id or --failed-since')
      const gapura = cli.connect('user')
      if (id !== undefined) {
        const delivery = await gapura.webhooks.redeliver(id)
        showDelivery(cli, delivery, 'It is delivered again.')
        return
      }
      const answer = await gapura.webhooks.redeliverFailed({ since: failedSince ?? '' })
      if (cli.json) printJson(answer)
      else printLines([`${answer.redelivered} are delivered again: gapura webhooks deliveries`])
    })

  addListen(webhooks, cli)

  webhooks
    .command('test')
    .description('send a test to the callback URL, and tell how its first attempt went')
    .action(async () => {
      const gapura = cli.connect('user')
      const { callback_url: url } = await gapura.webhooks.get()
      if (url === null)
        throw new FailedError('there is no callback URL', 'set one: gapura webhooks set-url <url>')
      const { id } = await gapura.webhooks.test()
      const delivery = await attempted(gapura, id)
      if (delivery.attempts.length === 0)
        throw new FailedError(
          `test ${id} has not been tried yet`,
          'the worker may be behind; look again with gapura webhooks deliveries',
        )
      const delivered = delivery.status === 'delivered'
      showDelivery(cli, delivery, delivered ? 'Your receiver took it.' : 'Your receiver did not take it.')
      if (!delivered)
        throw new FailedError(
          `the first attempt failed: ${outcomeOf(delivery)}`,
          'answer with a 2xx within 10 s, at the address that gapura webhooks show tells',
        )
    })
}

/** Returns the delivery after its first attempt, or unattempted after LONGEST_WAIT_MS. */
async function attempted(gapura: Gapura, id: string): Promise<WebhookDelivery> {
  for (let waitedMs = 0; ; waitedMs += POLL_MS) {
    const delivery = await gapura.webhooks.delivery(id)
    if (delivery.attempts.length > 0 || waitedMs >= LONGEST_WAIT_MS) return delivery
    await pause(POLL_MS)
  }
}

type ShownEndpoint = { callback_url: string | null; previous_secret_expires_at: string | null }

function showEndpoint(cli: Cli, endpoint: ShownEndpoint): void {
  if (cli.json) {
    printJson(endpoint)
    return
  }
  const { callback_url: url, previous_secret_expires_at: end } = endpoint
  printFacts(
    url === null ? 'Webhooks go nowhere: gapura webhooks set-url <url>' : `Webhooks go to ${url}`,
    [],
    [
      ['Secret', 'gapura webhooks secret prints it'],
      ['Old secrets', end === null ? '' : `the last of them signs until ${time(end)}`],
    ],
  )
}

function showDelivery(cli: Cli, delivery: WebhookDelivery, heading: string): void {
  if (cli.json) {
    printJson(delivery)
    return
  }
  printFacts(
    heading,
    [],
    [
      ['Event', delivery.id],
      ['Type', delivery.type],
      ['Payment', delivery.payment_id ?? ''],
      ['Status', delivery.status],
      ['Last attempt', outcomeOf(delivery)],
      ['Next attempt', delivery.next_attempt_at === null ? '' : time(delivery.next_attempt_at)],
      ['Created', time(delivery.created_at)],
    ],
  )
}

/** Returns for example `HTTP 500 in 12 ms`, or the reason why there was no response. */
function outcomeOf({ attempts }: WebhookDelivery): string {
  const last = attempts.toSorted((a, b) => a.number - b.number).at(-1)
  if (!last) return ''
  return last.response_status === null
    ? (last.error ?? 'no answer')
    : `HTTP ${last.response_status} in ${last.duration_ms} ms`
}
