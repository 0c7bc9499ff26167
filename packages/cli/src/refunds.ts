import type { Refund } from '@gapura/sdk'
import { type Command, InvalidArgumentError, Option } from 'commander'
import { type BankAccountFlags, bankAccountOf } from './bank-account.ts'
import { type Cli, emptyText, type ModeChoice, modeColumn, modeFilterOption, yesOption } from './cli.ts'
import { UsageError } from './failure.ts'
import { addLongListOptions, type ListFlags, showList } from './lists.ts'
import { type Column, printFacts, printJson, rupiah, shortTime } from './output.ts'
import { confirm } from './terminal.ts'

const statuses = ['pending', 'succeeded', 'failed'] as const
type Status = (typeof statuses)[number]

export const refundColumns: Column<Refund>[] = [
  { title: 'REFUND', value: refund => refund.id },
  { title: 'CREATED', value: refund => shortTime(refund.created_at) },
  { title: 'AMOUNT', value: refund => rupiah(refund.amount), right: true },
  { title: 'STATUS', value: refund => refund.status },
  { title: 'METHOD', value: refund => refund.method },
  { title: 'ORIGIN', value: refund => refund.origin },
  { title: 'REASON', value: refund => refund.failure_reason ?? refund.reason, cut: true, extra: true },
  { title: 'PAYMENT', value: refund => refund.payment_id, extra: true },
]

type CreateFlags = BankAccountFlags & {
  amount?: number
  rupiah?: number
  reason?: string
  idempotencyKey?: string
  yes?: true
}
type ListOptions = ListFlags & {
  mode?: ModeChoice
  status?: Status
  waiting?: true
  from?: string
  to?: string
}

export function addRefunds(program: Command, cli: Cli): void {
  const refunds = program.command('refunds').description('Refunds and chargebacks of paid payments')

  refunds
    .command('create')
    .description('refund a paid payment, in full or in part')
    .argument('<payment>', 'payment code or id')
    .addOption(
      new Option('--amount <cents>', 'amount in cents (default: all that is left to refund)').argParser(
        cents,
      ),
    )
    .addOption(new Option('--rupiah <amount>', 'amount in rupiah').argParser(cents).conflicts('amount'))
    .option('--reason <text>', 'reason for the refund')
    .option('--bank <name>', "name of the payer's bank, for a payment that the provider cannot refund")
    .option('--account-number <number>', "payer's bank account number")
    .option('--account-holder <name>', "name of the payer's bank account")
    .option(
      '--idempotency-key <key>',
      'unique key for the refund: a second request with the same key returns the same refund',
    )
    .addOption(yesOption())
    .action(async (payment: string, flags: CreateFlags, command: Command) => {
      const { reason, idempotencyKey, yes } = flags
      const amount = flags.amount ?? (flags.rupiah === undefined ? undefined : flags.rupiah * 100)
      const bankAccount = bankAccountOf(flags, command)
      const gapura = cli.connect('either')
      const what = amount === undefined ? 'The whole remaining amount' : rupiah(amount)
      await confirm(cli, `${what} of payment ${payment} will be refunded to the payer`, { yes })
      const body = {
        ...(amount !== undefined && { amount }),
        ...(reason !== undefined && { reason }),
        ...(bankAccount && { bank_account: bankAccount }),
      }
      showRefund(cli, await gapura.refunds.create(payment, body, { idempotencyKey }))
    })

  addLongListOptions(
    refunds.command('list').description('list refunds and chargebacks, newest first by default'),
  )
    .option('--payment <payment>', 'only refunds of this payment: its code or id')
    .addOption(new Option('--status <status>', 'only refunds with this status').choices(statuses))
    .option('--waiting', 'only refunds that the Owner must resolve')
    .addOption(modeFilterOption('refunds'))
    .option(
      '--from <day>',
      'only refunds created on or after this day (in Asia/Jakarta, such as 2026-11-01) or time',
    )
    .option('--to <day>', 'only refunds created on or before this day, or before this time')
    .action(
      async ({ payment, waiting, status, mode, from, to, ...flags }: ListOptions & { payment?: string }) => {
        const isFiltered = [status, waiting, mode, from, to].some(each => each !== undefined)
        if (payment !== undefined && (flags.order || flags.count || isFiltered))
          throw new UsageError(
            '--payment lists all refunds of the payment and cannot be combined with other filters',
          )
        const gapura = cli.connect('either')
        const filter = { status, mode, from, to, ...(waiting && { waiting: 'true' as const }) }
        const list = async (page: object) =>
          payment === undefined
            ? gapura.refunds.list({ ...filter, ...page })
            : { items: await gapura.refunds.listOfPayment(payment), next_cursor: null }
        return showList(
          cli,
          flags,
          list,
          [...modeColumn(mode), ...refundColumns],
          emptyText(cli, mode, 'No refunds found.'),
        )
      },
    )

  refunds
    .command('get')
    .description('show a refund')
    .argument('<refund>', 'refund id')
    .action(async (id: string) => showRefund(cli, await cli.connect('either').refunds.get(id)))

  refunds
    .command('resolve')
    .description(
      'record the outcome of a manual refund, of a refund whose outcome is unknown, or of a chargeback won at Midtrans (Owner only)',
    )
    .argument('<refund>', 'refund id')
    .addOption(new Option('--succeeded', 'record that the payer has received the refunded money'))
    .addOption(
      new Option(
        '--failed',
        'record that the payer got no money back; the service then credits the amount back to the merchant',
      ).conflicts('succeeded'),
    )
    .option(
      '--bank-reference <text>',
      'with --succeeded: reference of the bank transfer that refunded the payer',
    )
    .option('--reason <text>', 'reason for the outcome; the merchant can read it if the refund failed')
    .addOption(yesOption())
    .action(
      async (
        id: string,
        flags: {
          succeeded?: true
          failed?: true
          bankReference?: string
          reason?: string
          yes?: true
        },
        command: Command,
      ) => {
        const { succeeded, failed, bankReference, reason, yes } = flags
        if (!succeeded && !failed) return command.error('pass --succeeded or --failed')
        const gapura = cli.connect('user')
        const outcome = succeeded ? 'succeeded' : 'failed'
        await confirm(cli, `Refund ${id} will be marked as ${outcome}`, { yes })
        const body = {
          outcome,
          ...(bankReference !== undefined && { bank_reference: bankReference }),
          ...(reason !== undefined && { reason }),
        } as const
        showRefund(cli, await gapura.refunds.resolve(id, body))
      },
    )
}

function cents(text: string): number {
  if (!/^[1-9]\d{0,15}$/.test(text))
    throw new InvalidArgumentError('The amount must be a whole number above 0.')
  return Number(text)
}

function showRefund(cli: Cli, refund: Refund): void {
  if (cli.json) {
    printJson(cli, refund)
    return
  }
  printFacts(
    cli,
    `Refund ${refund.status}: ${rupiah(refund.amount)}`,
    [],
    [
      ['Refund', refund.id],
      ['Payment', refund.payment_id],
      ['Method', refund.method],
      ['Origin', refund.origin],
      ['Reason', refund.reason],
      ['Failure', refund.failure_reason ?? ''],
    ],
  )
}
