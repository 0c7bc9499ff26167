// The commands `gapura trigger` and `gapura payments pay`, which make the sandbox act like a payer or a bank.

import type { ActiveMethods, CreatePayment, Gapura, Payment } from '@gapura/sdk'
import { Argument, type Command, Option } from 'commander'
import { type Cli, whole } from './cli.ts'
import { FailedError } from './failure.ts'
import { followPayment, poll } from './follow-payment.ts'
import { type Facts, printFacts, printJson, rupiah } from './output.ts'
import { type CallbackResponse, type Outcome, outcomes, sandboxUrlOf, simulate } from './sandbox.ts'

/**
 * The payment events that the sandbox can cause. `payment.paid_again` and `payment.refunded` are missing, because they
 * need more than an outcome: a decision of the operator, or a refund.
 */
const events = [...outcomes.map(outcome => `payment.${outcome}` as const), 'payment.reversed'] as const
type Event = (typeof events)[number]

const DEFAULT_AMOUNT = 10_000_000
/**
 * After the service has accepted a callback, the command waits up to this many milliseconds for the service to
 * apply the callback.
 */
const LONGEST_WAIT_MS = 30_000

export function addTrigger(program: Command, cli: Cli): void {
  program
    .command('trigger')
    .description(
      'create a test payment and make the provider sandbox report an event for it, such as payment.paid',
    )
    .addArgument(new Argument('<event>', 'the event').choices(events))
    .addOption(amountOption('amount in cents (default: 10000000, which is Rp 100.000)'))
    .addHelpText(
      'after',
      '\nGAPURA_SANDBOX_URL is the sandbox’s URL. Without it, a local service’s sandbox is used, on the port after the service’s port.',
    )
    .action(async (event: Event, { amount = DEFAULT_AMOUNT }: { amount?: number }) => {
      const gapura = cli.connect('api_key')
      if ((await gapura.account.getBalance()).mode === 'live')
        throw new FailedError(
          'this command creates a test payment, but your API key is a live key',
          'use a test key',
        )
      // Checks the sandbox's address before creating the payment. If the address is missing, no payment is
      // created.
      sandboxUrlOf(cli)
      const created = await gapura.payments.create(orderOf(await gapura.listActiveMethods(), amount))
      show(cli, event, await cause(cli, gapura, created, event))
    })
}

export function addPay(payments: Command, cli: Cli): void {
  payments
    .command('pay')
    .description('pay a test payment in the sandbox, as the payer would')
    .argument('<payment>', 'payment code or id')
    .addOption(amountOption('amount the payer pays, in cents (default: the whole amount)'))
    .action(async (reference: string, { amount }: { amount?: number }) => {
      const gapura = cli.connect('either')
      const found = await gapura.payments.get(reference)
      if (found.status !== 'pending')
        throw new FailedError(`payment ${found.payment_code} is ${found.status}`, 'pay a pending payment')
      show(cli, 'paid', await bring(cli, gapura, found, 'paid', amount))
    })
}

const amountOption = (about: string) => new Option('--amount <cents>', about).argParser(whole)

/**
 * Returns an order for the first active virtual account. If no virtual account is active, returns an order for
 * QRIS. Virtual accounts are preferred, because QRIS allows only amounts up to Rp10,000,000.
 */
function orderOf({ providers }: ActiveMethods, amount: number): CreatePayment {
  const methods = providers.flatMap(provider => provider.methods)
  const account = methods.find(({ type }) => type === 'virtual_account')?.channels[0]
  const common = { amount, currency: 'IDR' as const, customer_name: 'Triggered payment' }
  if (account !== undefined)
    return {
      ...common,
      method_type: 'virtual_account',
      method_detail: { type: 'virtual_account', bank: account.code },
    }
  if (methods.some(({ type }) => type === 'qris'))
    return { ...common, method_type: 'qris', method_detail: { type: 'qris' } }
  throw new FailedError(
    'your tenant has no virtual account and no QRIS channel in test mode',
    "list the channels of your tenant with gapura methods, and ask this service's operator for a test-mode provider account",
  )
}

/** `reversed` is the amount in cents that the provider took back. It is set only after a reversal. */
type Change = { payment: Payment; callbacks: CallbackResponse[]; reversed?: number }

async function cause(cli: Cli, gapura: Gapura, payment: Payment, event: Event): Promise<Change> {
  if (event !== 'payment.reversed')
    return bring(cli, gapura, payment, event.slice('payment.'.length) as Outcome)
  const { payment: paid } = await bring(cli, gapura, payment, 'paid')
  return reverse(cli, gapura, paid)
}

/**
 * Makes the sandbox cause the outcome, and waits until the payment's status has changed. If the payer pays less than
 * the amount due, the payment becomes challenged.
 */
async function bring(
  cli: Cli,
  gapura: Gapura,
  payment: Payment,
  outcome: Outcome,
  amount?: number,
): Promise<Change> {
  const callbacks = await simulate(cli, payment, outcome, amount)
  const changed = await followPayment(gapura, payment.id, ({ status }) => status !== payment.status, {
    onState: ({ status }) => cli.progress(`The sandbox reported ${outcome}; the payment is still ${status}`),
    timeoutMs: LONGEST_WAIT_MS,
  })
  cli.progress('')
  if (changed === undefined)
    throw new FailedError(
      `the sandbox reported ${outcome}, but payment ${payment.payment_code} is still ${payment.status}`,
      `check later: gapura payments timeline ${payment.id}`,
    )
  return { payment: changed, callbacks }
}

/**
 * Makes the sandbox reverse a paid payment (the outcome `failed` after `paid`). Then waits for the debit in the ledger.
 * The payment's status stays `paid`.
 */
async function reverse(cli: Cli, gapura: Gapura, payment: Payment): Promise<Change> {
  const callbacks = await simulate(cli, payment, 'failed')
  const debitOf = async () =>
    (await gapura.payments.listLedger(payment.id)).find(({ entry_type }) => entry_type === 'debit')
  const debit = await poll(debitOf, LONGEST_WAIT_MS)
  if (debit) return { payment: await gapura.payments.get(payment.id), callbacks, reversed: debit.amount }
  throw new FailedError(
    `the sandbox reversed payment ${payment.payment_code}, but the ledger has no debit for it yet`,
    `check later: gapura payments ledger ${payment.id}`,
  )
}

function show(cli: Cli, event: string, { payment, callbacks, reversed }: Change): void {
  if (cli.json) {
    printJson(cli, { event, payment, callbacks })
    return
  }
  const facts: Facts = [
    ['Payment', payment.id],
    ['Code', payment.payment_code],
    ['Amount', rupiah(payment.amount)],
    ['Paid', payment.amount_paid === null ? '' : rupiah(payment.amount_paid)],
    ['Taken back', reversed === undefined ? '' : rupiah(reversed)],
    ['Reason', payment.failure_reason ?? ''],
    ['Callbacks', callbacks.map(({ status }) => `HTTP ${status}`).join(', ')],
    ['Webhook', `gapura webhooks deliveries --mode ${payment.mode}`],
  ]
  printFacts(cli, `${payment.payment_code} is ${payment.status}`, [], facts)
}
