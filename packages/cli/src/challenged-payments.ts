import type { ChallengedPayment } from '@gapura/sdk'
import type { Command } from 'commander'
import type { Cli } from './cli.ts'
import { addListOptions, type ListFlags, showList } from './lists.ts'
import { type Column, rupiah, shortTime } from './output.ts'

const columns: Column<ChallengedPayment>[] = [
  { title: 'CODE', value: payment => payment.payment_code },
  { title: 'AMOUNT', value: payment => rupiah(payment.amount), right: true },
  { title: 'CREATED', value: payment => shortTime(payment.created_at) },
  { title: 'TENANT', value: payment => payment.tenant_name, cut: true, extra: true },
  { title: 'REASON', value: payment => payment.failure_reason ?? '', cut: true, extra: true },
  { title: 'MODE', value: payment => payment.mode, extra: true },
  { title: 'PROVIDER', value: payment => payment.provider, extra: true },
  { title: 'PAYMENT', value: payment => payment.payment_id, extra: true },
]

export function addChallenged(payments: Command, cli: Cli): void {
  addListOptions(
    payments
      .command('challenged')
      .description(
        "list all tenants' challenged payments: a provider holds them for a fraud check, and you accept or reject them (Owner only)",
      ),
  ).action((flags: ListFlags) => {
    const gapura = cli.connect('user')
    const none = 'No payment waits for a decision.'
    return showList(cli, flags, page => gapura.challengedPayments.list(page), columns, none)
  })
}
