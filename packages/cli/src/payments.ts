import type { CreatePayment, Payment } from '@gapura/sdk'
import { type Command, InvalidArgumentError, Option } from 'commander'
import { addChallenged } from './challenged-payments.ts'
import {
  type Cli,
  emptyText,
  type ModeChoice,
  modeColumn,
  modeFilterOption,
  whole,
  yesOption,
} from './cli.ts'
import { showUntilEnded } from './follow-payment.ts'
import { ledgerColumns } from './ledger.ts'
import { addLongListOptions, type ListFlags, showList, showRows } from './lists.ts'
import { printJson } from './output.ts'
import { attemptColumns, paymentColumns, showPayment, timelineColumns } from './payment-view.ts'
import { confirm } from './terminal.ts'
import { addPay } from './trigger.ts'

const methods = ['virtual_account', 'qris', 'e_wallet', 'over_the_counter'] as const
const statuses = ['pending', 'paid', 'failed', 'expired', 'cancelled', 'challenged'] as const

type CreateFlags = {
  amount?: number
  rupiah?: number
  method: (typeof methods)[number]
  channel?: string
  customerName?: string
  customerEmail?: string
  customerPhone?: string
  customerIp?: string
  items?: CreatePayment['items']
  expiryMinutes?: number
  returnUrl?: string
  idempotencyKey?: string
  wait?: true
}

type FilterFlags = ListFlags & {
  status?: Payment['status']
  method?: Payment['method_type']
  provider?: string
  channel?: string
  amount?: number
  mode?: ModeChoice
  from?: string
  to?: string
  query?: string
}

type ResolveFlags = { accept?: true; reject?: true; withoutConfirmation?: true; reason: string; yes?: true }

export function addPayments(program: Command, cli: Cli): void {
  const payments = program.command('payments').description('Create and manage payments')

  payments
    .command('create')
    .description('create a payment and show the payment instructions')
    .addOption(new Option('--amount <cents>', 'amount in cents: Rp100,000 is 10000000').argParser(whole))
    .addOption(
      new Option('--rupiah <rupiah>', 'amount in whole rupiah, instead of --amount')
        .argParser(whole)
        .conflicts('amount'),
    )
    .addOption(new Option('--method <type>', 'payment method').choices(methods).makeOptionMandatory())
    .option(
      '--channel <code>',
      'code of the bank, e-wallet or store, such as BCA; omit it for the method qris',
    )
    .option('--customer-name <name>')
    .option('--customer-email <address>')
    .option('--customer-phone <number>')
    .option('--customer-ip <address>', "the payer's IP address; some e-wallets require it")
    .addOption(
      new Option(
        '--items <json>',
        'order lines, with prices in cents: \'[{"id":"sku-1","name":"Book","price":10000000,"quantity":1}]\'',
      ).argParser(jsonList),
    )
    .addOption(
      new Option('--expiry-minutes <minutes>', 'minutes until the payment expires (default: 60)').argParser(
        whole,
      ),
    )
    .option(
      '--return-url <url>',
      "where the e-wallet's page redirects the payer (default: a page of the service)",
    )
    .addOption(
      new Option(
        '--idempotency-key <key>',
        'unique key for your order: a second request with the same key returns the same payment',
      ).argParser(visible),
    )
    .option(
      '--wait',
      'wait until the payment is paid or can no longer be paid; exits with 1 if it was not paid',
    )
    .action(async (flags: CreateFlags, command: Command) => {
      const order = orderOf(flags, command)
      const { idempotencyKey, wait } = flags
      const gapura = cli.connect('api_key')
      const payment = await gapura.payments.create(order, { idempotencyKey })
      if (!wait) showPayment(cli, payment)
      else await showUntilEnded(cli, gapura, payment)
    })

  payments
    .command('get')
    .description('show a payment')
    .argument('<payment>', 'payment code or id')
    .action(async (id: string) => showPayment(cli, await cli.connect('either').payments.get(id)))

  payments
    .command('cancel')
    .description('cancel a pending or challenged payment')
    .argument('<payment>', 'payment code or id')
    .action(async (id: string) => showPayment(cli, await cli.connect('either').payments.cancel(id)))

  addLongListOptions(payments.command('list').description('list payments, newest first by default'))
    .addOption(new Option('--status <status>', 'only payments with this status').choices(statuses))
    .addOption(new Option('--method <type>', 'only payments with this method').choices(methods))
    .option('--provider <code>', 'only payments at this provider')
    .option('--channel <code>', 'only payments with this channel, such as bca')
    .addOption(new Option('--amount <cents>', 'only payments with exactly this amount').argParser(whole))
    .addOption(modeFilterOption('payments'))
    .option(
      '--from <day>',
      'only payments created on or after this day or time; days such as 2026-11-01 are in Asia/Jakarta',
    )
    .option('--to <day>', 'only payments created on or before this day, or before this time')
    .option(
      '--query <text>',
      'text to search for: part of a payment code, reference, VA number, name, email address, phone number or amount',
    )
    .action(({ method, query, status, provider, channel, amount, mode, from, to, ...flags }: FilterFlags) => {
      const gapura = cli.connect('either')
      const filter = { method_type: method, q: query, status, provider, channel, amount, mode, from, to }
      const none = 'No payments found.'
      const list = (page: object) => gapura.payments.list({ ...filter, ...page })
      return showList(cli, flags, list, [...modeColumn(mode), ...paymentColumns], emptyText(cli, mode, none))
    })

  payments
    .command('timeline')
    .description('list every status change of a payment')
    .argument('<payment>', 'payment code or id')
    .action(async (id: string) => {
      const timeline = await cli.connect('either').payments.listTimeline(id)
      if (cli.json) printJson(cli, timeline)
      else showRows(cli, timeline, timelineColumns, 'No status changes yet.')
    })

  payments
    .command('attempts')
    .description('list the attempts to create a payment at a provider, with their outcomes')
    .argument('<payment>', 'payment code or id')
    .action(async (id: string) => {
      const attempts = await cli.connect('either').payments.listAttempts(id)
      if (cli.json) printJson(cli, attempts)
      else showRows(cli, attempts, attemptColumns, 'No attempts yet.')
    })

  payments
    .command('ledger')
    .description("list a payment's ledger entries")
    .argument('<payment>', 'payment code or id')
    .action(async (id: string) => {
      const entries = await cli.connect('either').payments.listLedger(id)
      if (cli.json) printJson(cli, entries)
      else
        showRows(cli, entries, ledgerColumns, 'No ledger entries: the payment has not changed the balance.')
    })

  addPay(payments, cli)
  addChallenged(payments, cli)

  payments
    .command('resolve')
    .description(
      "accept or reject any tenant's payment that its provider holds for a fraud check (Owner only)",
    )
    .argument('<payment>', 'payment code or id')
    .addOption(
      new Option(
        '--accept',
        'if the provider confirms that it received the money, mark the payment as paid and credit the amount received',
      ),
    )
    .addOption(
      new Option('--reject', 'mark the payment as failed; this cannot be undone').conflicts('accept'),
    )
    .addOption(
      new Option(
        '--without-confirmation',
        'with --accept: credit the payment even if the provider has not confirmed that it received the money',
      ).conflicts('reject'),
    )
    .requiredOption('--reason <text>', 'reason for your decision, which the merchant can read')
    .addOption(yesOption())
    .action(async (id: string, { accept, reject, reason, yes, ...flags }: ResolveFlags, command: Command) => {
      if (!accept && !reject) return command.error('pass --accept or --reject')
      const { withoutConfirmation } = flags
      const gapura = cli.connect('user')
      if (reject) await confirm(cli, `Payment ${id} will be marked as failed`, { yes })
      if (withoutConfirmation)
        await confirm(
          cli,
          `Payment ${id} will be credited although the provider has not confirmed that it received the money`,
          {
            yes,
          },
        )
      const decision = accept ? 'accept' : 'reject'
      const wanted = { decision, reason, ...(withoutConfirmation && { without_confirmation: true }) } as const
      showPayment(cli, await gapura.payments.resolve(id, wanted))
    })
}

/** Parses the JSON list of an order's items. The items themselves are validated only by the service. */
function jsonList(text: string): CreatePayment['items'] {
  const list = parsed(text)
  if (!Array.isArray(list)) throw new InvalidArgumentError('It must be a JSON array.')
  return list
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function visible(text: string): string {
  if (!/^[\x21-\x7e]{1,255}$/.test(text))
    throw new InvalidArgumentError('The key must be 1 to 255 ASCII characters without spaces.')
  return text
}

function orderOf(flags: CreateFlags, command: Command): CreatePayment {
  const amount = flags.amount ?? (flags.rupiah === undefined ? undefined : flags.rupiah * 100)
  if (amount === undefined) return command.error('pass --amount (in cents) or --rupiah')
  const common = {
    amount,
    currency: 'IDR' as const,
    ...(flags.customerName !== undefined && { customer_name: flags.customerName }),
    ...(flags.customerEmail !== undefined && { customer_email: flags.customerEmail }),
    ...(flags.customerPhone !== undefined && { customer_phone: flags.customerPhone }),

    ...(flags.customerIp !== undefined && { customer_ip: flags.customerIp }),
    ...(flags.items !== undefined && { items: flags.items }),
    ...(flags.expiryMinutes !== undefined && { expiry_minutes: flags.expiryMinutes }),
    ...(flags.returnUrl !== undefined && { return_url: flags.returnUrl }),
  }
  const { method, channel } = flags
  if (method === 'qris') {
    if (channel !== undefined) return command.error('--channel cannot be used with --method qris')
    return { ...common, method_type: method, method_detail: { type: method } }
  }
  if (channel === undefined) return command.error(`--channel is required with --method ${method}`)
  switch (method) {
    case 'virtual_account':
      return { ...common, method_type: method, method_detail: { type: method, bank: channel } }
    case 'e_wallet':
      return { ...common, method_type: method, method_detail: { type: method, wallet_type: channel } }
    case 'over_the_counter':
      return { ...common, method_type: method, method_detail: { type: method, store: channel } }
  }
}
