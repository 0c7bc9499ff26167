// Prints webhook deliveries to a tenant's callback URL and additional webhook endpoints.

import type { SentWebhookDelivery, WebhookDelivery } from '@gapura/sdk'
import { Option } from 'commander'
import type { Cli } from './cli.ts'
import { showRows } from './lists.ts'
import { type Column, printable, printFacts, printJson, printLines, shortTime, time } from './output.ts'

export const eventTypes = [
  'payment.paid',
  'payment.failed',
  'payment.expired',
  'payment.cancelled',
  'payment.challenged',
  'payment.paid_again',
  'payment.reversed',
  'payment.refunded',
  'refund.failed',
  'webhook.test',
] as const satisfies WebhookDelivery['type'][]

export const eventTypeOption = () =>
  new Option('--type <type>', 'only deliveries of events of this type').choices(eventTypes)

export const deliveryColumns: Column<WebhookDelivery>[] = [
  { title: 'ID', value: delivery => delivery.id },
  { title: 'TYPE', value: delivery => delivery.type },
  { title: 'STATUS', value: delivery => delivery.status },
  { title: 'LAST ATTEMPT', value: outcomeOf, cut: true, extra: true },
  { title: 'CREATED', value: delivery => shortTime(delivery.created_at), extra: true },
  { title: 'PAYMENT', value: delivery => delivery.payment_id ?? '', extra: true },
]

export function showDelivery(cli: Cli, delivery: WebhookDelivery, heading: string): void {
  if (cli.json) {
    printJson(cli, delivery)
    return
  }
  printFacts(
    cli,
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

type Attempt = WebhookDelivery['attempts'][number]

const attemptColumns: Column<Attempt>[] = [
  { title: 'ATTEMPT', value: attempt => String(attempt.number), right: true },
  { title: 'STARTED', value: attempt => shortTime(attempt.started_at) },
  { title: 'RESULT', value: resultOf, cut: true },
  { title: 'RESPONSE', value: attempt => attempt.response_body ?? '', cut: true, extra: true },
]

export function showSent(cli: Cli, delivery: SentWebhookDelivery): void {
  showDelivery(cli, delivery, `The ${delivery.type} webhook is ${delivery.status}`)
  if (cli.json) return
  printLines(cli, ['', 'Body:', '', `  ${printable(delivery.body)}`, ''])
  showRows(
    cli,
    delivery.attempts.toSorted((a, b) => a.number - b.number),
    attemptColumns,
    'No attempts yet.',
  )
  const last = delivery.attempts.reduce<Attempt | undefined>(
    (found, each) => (found && found.number > each.number ? found : each),
    undefined,
  )
  printHeaders(cli, 'Signature headers of the last attempt:', last?.sent_signatures)
  printHeaders(cli, 'Response headers of the last attempt:', last?.response_headers)
}

function printHeaders(cli: Cli, title: string, headers: object | null | undefined): void {
  if (headers)
    printLines(cli, [
      '',
      title,
      '',
      ...Object.entries(headers).map(each => `  ${printable(each.join(': '))}`),
    ])
}

export function outcomeOf({ attempts }: WebhookDelivery): string {
  const last = attempts.toSorted((a, b) => a.number - b.number).at(-1)
  return last ? resultOf(last) : ''
}

/**
 * Returns an attempt's result, for example `HTTP 500 in 12 ms`, or the reason why there was no response. If the response
 * was incomplete, the result contains both.
 */
function resultOf({ response_status, error, duration_ms }: Attempt): string {
  if (response_status === null) return error ?? 'no response'
  return `HTTP ${response_status} in ${duration_ms} ms${error === null ? '' : `: ${printable(error)}`}`
}
