import type { UnexpectedMoney } from '@gapura/sdk'
import { type Command, Option } from 'commander'
import { type Cli, whole, yesOption } from './cli.ts'
import { addListOptions, type ListFlags, showList } from './lists.ts'
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
  'refund',
  'chargeback',
] as const

type FilterFlags = ListFlags & {
  status?: UnexpectedMoney['status']
  kind?: UnexpectedMoney['kind']
  provider?: string
  payment?: string
}
type RefundFlags = { reason: string; amount?: number; yes?: true }

/** Providers do not always report the amount of a refund or chargeback; it is then 0. */
const amountOf = ({ amount }: UnexpectedMoney): string => (amount === 0 ? 'not reported' : rupiah(amount))

const columns: Column<UnexpectedMoney>[] = [
  { title: 'ID', value: money => money.id },
  { title: 'KIND', value: money => money.kind },
  { title: 'STATUS', value: money => money.status },
  { title: 'AMOUNT', value: amountOf, right: true },
  { title: 'IN LEDGER', value: money => (money.in_ledger ? 'yes' : 'no') },
  { title: 'ARRIVED', value: money => shortTime(money.paid_at), extra: true },
  { title: 'PROVIDER', value: money => money.provider, extra: true },
  { title: 'REFERENCE', value: money => money.reference, cut: true, extra: true },
  { title: 'PAYMENT', value: money => money.payment_id ?? '', extra: true },
]

export function addUnexpectedMoney(program: Command, cli: Cli): void {
  const inbox = program
    .command('unexpected-money')
    .description('Money that did not arrive or stay as agreed, for the Owner')
  const reasonOption = '--reason <text>'

  addListOptions(inbox.command('list').description('list it, newest first'))
    .addOption(new Option('--status <status>', 'only that').choices(statuses))
    .addOption(new Option('--kind <kind>', 'only that').choices(kinds))
    .option('--provider <code>', 'only that')
    .option('--payment <id>', 'of this payment only')
    .action(({ status, kind, provider, payment, ...flags }: FilterFlags) => {
      const gapura = cli.connect('user')
      const filter = { status, kind, provider, payment_id: payment }
      const list = (page: object) => gapura.unexpectedMoney.list({ ...filter, ...page })
      return showList(cli, flags, list, columns, 'There is no such money.')
    })

  inbox
    .command('show')
    .description('show a record')
    .argument('<id>', 'id of the record')
    .action(async (id: string) => showMoney(cli, await cli.connect('user').unexpectedMoney.get(id)))

  inbox
    .command('accept')
    .description(
      'credit what the ledger does not have yet, acknowledge what it has, debit a refund or chargeback',
    )
    .argument('<id>', 'id of the record')
    .requiredOption(reasonOption, 'kept with the record')
    .addOption(
      new Option('--amount <cents>', 'of a refund or chargeback whose amount was not reported').argParser(
        whole,
      ),
    )
    .action(async (id: string, { reason, amount }: Omit<RefundFlags, 'yes'>) =>
      showMoney(cli, await cli.connect('user').unexpectedMoney.accept(id, { reason, amount })),
    )

  inbox
    .command('assign')
    .description('give money of an unknown reference to a payment, and credit it')
    .argument('<id>', 'id of the record')
    .requiredOption('--payment <id>', 'the payment, of any tenant')
    .requiredOption(reasonOption, 'kept with the record')
    .addOption(yesOption())
    .action(async (id: string, { payment, reason, yes }: { payment: string; reason: string; yes?: true }) => {
      const gapura = cli.connect('user')
      await confirm(`Payment ${payment} will be credited with it, for good`, { yes })
      showMoney(cli, await gapura.unexpectedMoney.assign(id, { payment_id: payment, reason }))
    })

  inbox
    .command('refund')
    .description(
      'mark it as given back to the payer, which you did yourself; the ledger is debited if it has it',
    )
    .argument('<id>', 'id of the record')
    .requiredOption(reasonOption, 'kept with the record')
    .addOption(
      new Option(
        '--amount <cents>',
        'so much of it (all; of an overpaid one what is beyond the amount)',
      ).argParser(whole),
    )
    .addOption(yesOption())
    .action(async (id: string, { reason, amount, yes }: RefundFlags) => {
      const gapura = cli.connect('user')
      await confirm(`Money ${id} will have been given back, for good`, { yes })
      showMoney(cli, await gapura.unexpectedMoney.refund(id, { reason, amount }))
    })

  inbox
    .command('dismiss')
    .description('close a refund or chargeback that moves no balance')
    .argument('<id>', 'id of the record')
    .requiredOption(reasonOption, 'kept with the record')
    .addOption(yesOption())
    .action(async (id: string, { reason, yes }: Omit<RefundFlags, 'amount'>) => {
      const gapura = cli.connect('user')
      await confirm(`Record ${id} will be dismissed, for good`, { yes })
      showMoney(cli, await gapura.unexpectedMoney.dismiss(id, { reason }))
    })
}

function showMoney(cli: Cli, money: UnexpectedMoney): void {
  if (cli.json) {
    printJson(money)
    return
  }
  printFacts(
    `The record of ${amountOf(money)} (${money.kind}) is ${money.status}`,
    [],
    [
      ['Record', money.id],
      ['Payment', [money.payment_code, money.payment_id].filter(Boolean).join(' ')],
      ['Amount of it', money.expected_amount === null ? '' : rupiah(money.expected_amount)],
      ['In the ledger', money.in_ledger ? 'yes' : 'no'],
      ['At the provider', money.return_status ?? ''],
      ['Tenant', money.tenant_id ?? ''],
      ['Provider', `${money.provider} ${money.provider_account_id}`],
      ['Mode', money.mode],
      ['Reference', money.reference],
      ['Receipt', money.receipt ?? ''],
      ['Arrived', time(money.paid_at)],
      ['Decided', money.decided_at === null ? '' : time(money.decided_at)],
      ['Reason', money.reason ?? ''],
    ],
  )
}
