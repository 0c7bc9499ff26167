import type { PaymentOutcome, UnknownPayment } from '@gapura/sdk'
import type { Command } from 'commander'
import { type Cli, emptyText, type ModeChoice, modeColumn, modeFilterOption, yesOption } from './cli.ts'
import { addListOptions, type ListFlags, showList } from './lists.ts'
import { type Column, printFacts, printJson, rupiah, shortTime } from './output.ts'
import { confirm } from './terminal.ts'

const columns: Column<UnknownPayment>[] = [
  { title: 'CODE', value: payment => payment.payment_code },
  { title: 'REFERENCE', value: payment => payment.reference },
  { title: 'PROVIDER', value: payment => payment.provider },
  { title: 'AMOUNT', value: payment => rupiah(payment.amount), right: true },
  { title: 'SINCE', value: payment => shortTime(payment.since) },
  {
    title: 'NEXT INQUIRY',
    value: payment => (payment.waits_for_operator ? 'manual' : shortTime(payment.next_inquiry_at)),
  },
  { title: 'REASON', value: payment => payment.reason ?? '', cut: true, extra: true },
  { title: 'PAYMENT', value: payment => payment.payment_id, extra: true },
  { title: 'TENANT', value: payment => payment.tenant_id, extra: true },
]

export function addUnknownPayments(program: Command, cli: Cli): void {
  const unknown = program
    .command('unknown-payments')
    .description('Payments whose charge has an unknown outcome at the provider (Owner only)')

  addListOptions(
    unknown
      .command('list')
      .description('list the payments whose charge has an unknown outcome, oldest first'),
  )
    .addOption(modeFilterOption('payments'))
    .action(({ mode, ...flags }: ListFlags & { mode?: ModeChoice }) => {
      const gapura = cli.connect('user')
      const list = (page: object) => gapura.unknownPayments.list({ mode, ...page })
      return showList(
        cli,
        flags,
        list,
        [...modeColumn(mode), ...columns],
        emptyText(cli, mode, 'No payments with an unknown outcome.'),
      )
    })

  unknown
    .command('inquire')
    .description("ask the provider for the charge's outcome now")
    .argument('<payment>', 'code or id of the payment')
    .action(async (payment: string) =>
      showOutcome(cli, await cli.connect('user').unknownPayments.inquire(payment)),
    )

  unknown
    .command('resolve')
    .description('record that the provider has no charge for this payment')
    .argument('<payment>', 'payment code or id')
    .requiredOption(
      '--not-created',
      'confirm that the provider has no order for the payment; a create request with the same idempotency key then charges again',
    )
    .requiredOption('--reason <text>', 'reason for your decision, stored with the payment')
    .addOption(yesOption())
    .action(async (payment: string, { reason, yes }: { reason: string; yes?: true }) => {
      const gapura = cli.connect('user')
      await confirm(cli, `After this decision, payment ${payment} may be charged again`, { yes })
      const decision = 'not_created'
      showOutcome(cli, await gapura.unknownPayments.resolve(payment, { decision, reason }))
    })
}

function showOutcome(cli: Cli, payment: PaymentOutcome): void {
  if (cli.json) {
    printJson(cli, payment)
    return
  }
  printFacts(
    cli,
    `Outcome: ${payment.outcome}`,
    [],
    [
      ['Payment', payment.payment_id],
      ['Code', payment.payment_code],
      ['Tenant', payment.tenant_id],
      ['Reason', payment.reason ?? ''],
    ],
  )
}
