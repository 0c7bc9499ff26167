// Commands for support. The Owner (the service's operator) and Partners (resellers) use them to read
// merchants' payments.

import type { PaymentCallback, WebhookDelivery } from '@gapura/sdk'
import type { Command } from 'commander'
import { type Cli, emptyText, type ModeChoice, modeColumn, modeFilterOption } from './cli.ts'
import { addLongListOptions, type ListFlags, showList, showRows } from './lists.ts'
import { type Column, printJson, shortTime } from './output.ts'
import { attemptColumns, paymentColumns, showPayment, timelineColumns } from './payment-view.ts'
import { refundColumns } from './refunds.ts'

type PaymentsFlags = ListFlags & { mode?: ModeChoice; query?: string }

const callbackColumns: Column<PaymentCallback>[] = [
  { title: 'RECEIVED', value: callback => shortTime(callback.received_at) },
  { title: 'PROVIDER', value: callback => callback.provider },
  { title: 'STATUS', value: callback => callback.status },
  { title: 'REASON', value: callback => callback.reason ?? '', cut: true },
  { title: 'ID', value: callback => callback.id, extra: true },
]

const deliveryColumns: Column<WebhookDelivery>[] = [
  { title: 'CREATED', value: delivery => shortTime(delivery.created_at) },
  { title: 'TYPE', value: delivery => delivery.type },
  { title: 'STATUS', value: delivery => delivery.status },
  { title: 'ATTEMPTS', value: delivery => String(delivery.attempts.at(-1)?.number ?? 0), right: true },
  { title: 'ID', value: delivery => delivery.id, extra: true },
]

export function addSupport(program: Command, cli: Cli): void {
  const support = program.command('support').description("Merchants' payments (Owner and Partners)")
  const ofPayment = (name: string, description: string) =>
    support
      .command(name)
      .description(description)
      .argument('<tenant>', 'id of the tenant')
      .argument('<payment>', 'payment code or id')

  addLongListOptions(
    support.command('payments').description("list a merchant's payments, newest first by default"),
  )
    .argument('<tenant>', 'id of the tenant')
    .addOption(modeFilterOption('payments'))
    .option('--query <text>', 'text to search for, such as a payment code, a name or a VA number')
    .action((tenant: string, { mode, query, ...flags }: PaymentsFlags) => {
      const gapura = cli.connect('user')
      const list = (page: object) => gapura.tenantPayments.list(tenant, { mode, q: query, ...page })
      const columns = [...modeColumn(mode), ...paymentColumns]
      return showList(cli, flags, list, columns, emptyText(cli, mode, 'No payments found.'))
    })

  ofPayment('payment', "show a merchant's payment").action(async (tenant: string, payment: string) =>
    showPayment(cli, await cli.connect('user').tenantPayments.get(tenant, payment)),
  )

  ofPayment('timeline', 'list every status change of a payment').action(
    async (tenant: string, payment: string) =>
      show(cli, await cli.connect('user').tenantPayments.listTimeline(tenant, payment), timelineColumns),
  )

  ofPayment('attempts', 'list the charge attempts of a payment').action(
    async (tenant: string, payment: string) =>
      show(cli, await cli.connect('user').tenantPayments.listAttempts(tenant, payment), attemptColumns),
  )

  ofPayment('callbacks', 'list the provider callbacks about a payment').action(
    async (tenant: string, payment: string) =>
      show(cli, await cli.connect('user').tenantPayments.listCallbacks(tenant, payment), callbackColumns),
  )

  addLongListOptions(ofPayment('deliveries', 'list the webhook deliveries of a payment')).action(
    (tenant: string, payment: string, flags: ListFlags) => {
      const gapura = cli.connect('user')
      const list = (page: object) => gapura.tenantPayments.listDeliveries(tenant, payment, page)
      return showList(cli, flags, list, deliveryColumns, 'No deliveries yet.')
    },
  )

  ofPayment('refunds', 'list the refunds and chargebacks of a payment').action(
    async (tenant: string, payment: string) =>
      show(cli, await cli.connect('user').tenantPayments.listRefunds(tenant, payment), refundColumns),
  )
}

function show<Row>(cli: Cli, rows: Row[], columns: Column<Row>[]): void {
  if (cli.json) printJson(cli, rows)
  else showRows(cli, rows, columns, 'None yet.')
}
