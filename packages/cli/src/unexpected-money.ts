import type { UnexpectedMoney } from '@gapura/sdk'
import { type Command, Option } from 'commander'
import { type BankAccountFlags, bankAccountOf } from './bank-account.ts'
import {
  type Cli,
  emptyText,
  type ModeChoice,
  modeColumn,
  modeFilterOption,
  whole,
  yesOption,
} from './cli.ts'
import { addLongListOptions, type ListFlags, showList } from './lists.ts'
import { type Column, printFacts, printJson, rupiah, shortTime, time } from './output.ts'
import { confirm } from './terminal.ts'

const statuses = ['open', 'accepted', 'refunded', 'dismissed'] as const
const kinds = [
  'unknown_reference',
  'second_payment',
  'overpaid',
  'underpaid',
  'late',
  'increase',
  'paid_after_reversal',
  'reversal',
  'unconfirmed',
  'refund',
  'chargeback',
] as const

type FilterFlags = ListFlags & {
  mode?: ModeChoice
  status?: UnexpectedMoney['status']
  kind?: UnexpectedMoney['kind']
  provider?: string
  payment?: string
}
type AcceptFlags = { reason: string; amount?: number; withoutConfirmation?: true; yes?: true }
type RefundFlags = { reason: string; amount?: number; yes?: true } & BankAccountFlags

/** An amount of 0 means that the provider reported a refund or chargeback without an amount. */
const amountOf = ({ amount }: UnexpectedMoney): string => (amount === 0 ? 'not reported' : rupiah(amount))

const columns: Column<UnexpectedMoney>[] = [
  { title: 'ID', value: money => money.id },
  { title: 'KIND', value: money => money.kind },
  { title: 'STATUS', value: money => money.status },
  { title: 'AMOUNT', value: amountOf, right: true },
  { title: 'IN LEDGER', value: money => (money.in_ledger ? 'yes' : 'no') },
  { title: 'RECEIVED', value: money => shortTime(money.paid_at), extra: true },
  { title: 'PROVIDER', value: money => money.provider, extra: true },
  { title: 'REFERENCE', value: money => money.reference, cut: true, extra: true },
  { title: 'PAYMENT', value: money => money.payment_id ?? '', extra: true },
]

export function addUnexpectedMoney(program: Command, cli: Cli): void {
  const inbox = program
    .command('unexpected-money')
    .description(
      'Money received that matches no open payment, and money that a provider took back (Owner only)',
    )
  const reasonOption = '--reason <text>'

  addLongListOptions(
    inbox.command('list').description('list the records of unexpected money, newest first by default'),
  )
    .addOption(new Option('--status <status>', 'only records with this status').choices(statuses))
    .addOption(new Option('--kind <kind>', 'only records of this kind').choices(kinds))
    .option('--provider <code>', 'only records of unexpected money from this provider')
    .addOption(modeFilterOption('records'))
    .option('--payment <payment>', 'only records of this payment (code or id)')
    .action(({ status, kind, provider, mode, payment, ...flags }: FilterFlags) => {
      const gapura = cli.connect('user')
      const filter = { status, kind, provider, mode, payment_id: payment }
      const list = (page: object) => gapura.unexpectedMoney.list({ ...filter, ...page })
      return showList(
        cli,
        flags,
        list,
        [...modeColumn(mode), ...columns],
        emptyText(cli, mode, 'No records found.', payment),
      )
    })

  inbox
    .command('show')
    .description('show one unexpected money record')
    .argument('<id>', 'id of the record')
    .action(async (id: string) => showMoney(cli, await cli.connect('user').unexpectedMoney.get(id)))

  inbox
    .command('accept')
    .description(
      'accept a record: credits received money to the merchant if it was not credited yet, or debits a refund or chargeback',
    )
    .argument('<id>', 'id of the record')
    .requiredOption(reasonOption, 'reason for your decision, stored with the record')
    .addOption(
      new Option(
        '--amount <cents>',
        'amount of the refund or chargeback; needed only if the provider did not report an amount',
      ).argParser(whole),
    )
    .addOption(
      new Option(
        '--without-confirmation',
        'accept a partial payment even if the provider does not confirm that it received the money',
      ),
    )
    .addOption(yesOption())
    .action(async (id: string, { reason, amount, withoutConfirmation, yes }: AcceptFlags) => {
      const gapura = cli.connect('user')
      if (withoutConfirmation)
        await confirm(cli, 'The money will be credited although the provider may not have this money', {
          yes,
        })
      const wanted = { reason, amount, ...(withoutConfirmation && { without_confirmation: true }) }
      showMoney(cli, await gapura.unexpectedMoney.accept(id, wanted))
    })

  inbox
    .command('assign')
    .description(
      "assign money with an unknown reference to a payment, and credit it to the payment's merchant",
    )
    .argument('<id>', 'id of the record')
    .requiredOption('--payment <payment>', 'code or id of a payment of any tenant')
    .requiredOption(reasonOption, 'reason for your decision, stored with the record')
    .addOption(yesOption())
    .action(async (id: string, { payment, reason, yes }: { payment: string; reason: string; yes?: true }) => {
      const gapura = cli.connect('user')
      await confirm(cli, `The money will be credited for payment ${payment}; this cannot be undone`, { yes })
      showMoney(cli, await gapura.unexpectedMoney.assign(id, { payment_id: payment, reason }))
    })

  inbox
    .command('refund')
    .description(
      'refund the money of an unexpected money record to the payer; debits the merchant if this money was credited',
    )
    .argument('<id>', 'id of the record')
    .requiredOption(reasonOption, 'reason for your decision, stored with the record')
    .addOption(
      new Option(
        '--amount <cents>',
        'amount to refund (default: all; for an overpaid payment, the excess)',
      ).argParser(whole),
    )
    .option('--bank <name>', "payer's bank, if the provider cannot refund the money")
    .option('--account-number <number>', "payer's bank account number")
    .option('--account-holder <name>', "name of the payer's bank account")
    .addOption(yesOption())
    .action(async (id: string, { reason, amount, yes, ...flags }: RefundFlags, command: Command) => {
      const bankAccount = bankAccountOf(flags, command)
      const gapura = cli.connect('user')
      await confirm(cli, `The money of record ${id} will be refunded to the payer; this cannot be undone`, {
        yes,
      })
      const body = { reason, amount, ...(bankAccount && { bank_account: bankAccount }) }
      showMoney(cli, await gapura.unexpectedMoney.refund(id, body))
    })

  inbox
    .command('dismiss')
    .description(
      'dismiss a reported refund or chargeback, or money that the provider did not confirm; no balance changes',
    )
    .argument('<id>', 'id of the record')
    .requiredOption(reasonOption, 'reason for your decision, stored with the record')
    .addOption(yesOption())
    .action(async (id: string, { reason, yes }: { reason: string; yes?: true }) => {
      const gapura = cli.connect('user')
      await confirm(cli, `The record ${id} of unexpected money will be dismissed; this cannot be undone`, {
        yes,
      })
      showMoney(cli, await gapura.unexpectedMoney.dismiss(id, { reason }))
    })
}

function showMoney(cli: Cli, money: UnexpectedMoney): void {
  if (cli.json) {
    printJson(cli, money)
    return
  }
  printFacts(
    cli,
    `Unexpected money: ${amountOf(money)} (${money.kind}) is ${money.status}`,
    [],
    [
      ['Record', money.id],
      ['Payment', [money.payment_code, money.payment_id].filter(Boolean).join(' ')],
      ['Payment amount', money.expected_amount === null ? '' : rupiah(money.expected_amount)],
      ['In the ledger', money.in_ledger ? 'yes' : 'no'],
      ['At the provider', money.return_status ?? ''],
      ['Refund', [money.refund_status, money.refund_id].filter(Boolean).join(' ')],
      ['Tenant', money.tenant_id ?? ''],
      ['Provider', `${money.provider} ${money.provider_account_id}`],
      ['Mode', money.mode],
      ['Reference', money.reference],
      ['Receipt', money.receipt ?? ''],
      ['Received', time(money.paid_at)],
      ['Decided', money.decided_at === null ? '' : time(money.decided_at)],
      ['Reason', money.reason ?? ''],
    ],
  )
}
