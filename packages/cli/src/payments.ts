import type { CreatePayment, Gapura, Payment } from '@gapura/sdk'
import { type Command, InvalidArgumentError, Option } from 'commander'
import { type Facts, printFacts, printJson, rupiah, time } from './output.ts'

const methods = ['virtual_account', 'qris', 'e_wallet', 'over_the_counter'] as const

type CreateFlags = {
  amount?: number
  rupiah?: number
  method: (typeof methods)[number]
  channel?: string
  customerName?: string
  customerEmail?: string
  customerPhone?: string
  expiryMinutes?: number
  idempotencyKey?: string
  json?: true
}

export function addPayments(program: Command, connect: () => Gapura): void {
  const payments = program.command('payments').description('Create payments and follow them')

  payments
    .command('create')
    .description('create a payment, and show what the payer needs to pay it')
    .addOption(new Option('--amount <cents>', 'amount in cents: Rp100,000 is 10000000').argParser(whole))
    .addOption(new Option('--rupiah <rupiah>', 'or in whole rupiah').argParser(whole).conflicts('amount'))
    .addOption(new Option('--method <type>', 'how to pay').choices(methods).makeOptionMandatory())
    .option('--channel <code>', 'bank, wallet or store, such as BCA; not with qris')
    .option('--customer-name <name>')
    .option('--customer-email <address>')
    .option('--customer-phone <number>')
    .addOption(new Option('--expiry-minutes <minutes>', 'how long the payer has (60)').argParser(whole))
    .addOption(
      new Option(
        '--idempotency-key <key>',
        'one for each order: a repeat returns the same payment',
      ).argParser(visible),
    )
    .addOption(jsonOption())
    .action(async (flags: CreateFlags, command: Command) => {
      const order = orderOf(flags, command)
      const { idempotencyKey } = flags
      show(await connect().payments.create(order, { idempotencyKey }), flags)
    })

  payments
    .command('get')
    .description('show a payment as it stands now')
    .argument('<id>', 'id of the payment')
    .addOption(jsonOption())
    .action(async (id: string, flags: { json?: true }) => show(await connect().payments.get(id), flags))

  payments
    .command('cancel')
    .description('cancel a pending or challenged payment')
    .argument('<id>', 'id of the payment')
    .addOption(jsonOption())
    .action(async (id: string, flags: { json?: true }) => show(await connect().payments.cancel(id), flags))
}

const jsonOption = () => new Option('--json', 'print the payment as JSON, and errors too')

function whole(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError('It takes digits only, such as 100000.')
  return Number(text)
}

function visible(text: string): string {
  if (!/^[\x21-\x7e]{1,255}$/.test(text))
    throw new InvalidArgumentError('It takes 1 to 255 ASCII characters without spaces.')
  return text
}

function orderOf(flags: CreateFlags, command: Command): CreatePayment {
  const amount = flags.amount ?? (flags.rupiah === undefined ? undefined : flags.rupiah * 100)
  if (amount === undefined) return command.error('give --amount (cents) or --rupiah')
  const common = {
    amount,
    currency: 'IDR' as const,
    ...(flags.customerName !== undefined && { customer_name: flags.customerName }),
    ...(flags.customerEmail !== undefined && { customer_email: flags.customerEmail }),
    ...(flags.customerPhone !== undefined && { customer_phone: flags.customerPhone }),
    ...(flags.expiryMinutes !== undefined && { expiry_minutes: flags.expiryMinutes }),
  }
  const { method, channel } = flags
  if (method === 'qris') {
    if (channel !== undefined) return command.error('--method qris has no --channel')
    return { ...common, method_type: method, method_detail: { type: method } }
  }
  if (channel === undefined) return command.error(`--method ${method} needs a --channel`)
  switch (method) {
    case 'virtual_account':
      return { ...common, method_type: method, method_detail: { type: method, bank: channel } }
    case 'e_wallet':
      return { ...common, method_type: method, method_detail: { type: method, wallet_type: channel } }
    case 'over_the_counter':
      return { ...common, method_type: method, method_detail: { type: method, store: channel } }
  }
}

function show(payment: Payment, { json }: { json?: true }): void {
  if (json) {
    printJson(payment)
    return
  }
  const payable = payment.status === 'pending'
  const deadline = payable ? `, to be paid by ${time(payment.expires_at)}` : ''
  printFacts(
    `${rupiah(payment.amount)} is ${payment.status}${deadline}`,
    payable ? instructions(payment.method_data).filter(([, value]) => value !== '') : [],
    [
      ['Payment', payment.id],
      ['Code', payment.payment_code],
      ['Method', methodOf(payment.method_data)],
      ['Paid', payment.amount_paid === null ? '' : rupiah(payment.amount_paid)],
      ['Paid at', payment.paid_at === null ? '' : time(payment.paid_at)],
      ['Reason', payment.failure_reason ?? ''],
      [
        'Customer',
        [payment.customer_name, payment.customer_email, payment.customer_phone].filter(Boolean).join(', '),
      ],
      ['Provider', `${payment.provider} ${payment.provider_payment_id}`],
      ['Created', time(payment.created_at)],
      ['Idempotency key', payment.idempotency_key],
    ],
  )
}

/** What the payer does, and with what. */
function instructions(method: Payment['method_data']): Facts {
  switch (method.type) {
    case 'virtual_account':
      return [[`Transfer to this virtual account at ${method.bank.toUpperCase()}`, method.va_number]]
    case 'qris':
      return [
        ['Scan the QR code at', method.qr_image_url],
        ['Or draw it from', method.qr_string],
      ]
    case 'e_wallet':
      return [
        [`Pay with ${method.wallet_type.toUpperCase()} at`, method.redirect_url],
        ['On the phone', method.deeplink === method.redirect_url ? '' : method.deeplink],
      ]
    case 'over_the_counter':
      return [[`Pay at ${method.store_name} with this code`, method.payment_code]]
  }
}

function methodOf(method: Payment['method_data']): string {
  switch (method.type) {
    case 'virtual_account':
      return `${method.type} ${method.bank}`
    case 'qris':
      return method.type
    case 'e_wallet':
      return `${method.type} ${method.wallet_type}`
    case 'over_the_counter':
      return `${method.type} ${method.store_name}`
  }
}
