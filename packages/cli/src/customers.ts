import type { Command } from 'commander'
import { type Cli, yesOption } from './cli.ts'
import { UsageError } from './failure.ts'
import { note, printJson } from './output.ts'
import { confirm } from './terminal.ts'

type EraseFlags = { payment?: string; email?: string; phone?: string; yes?: true }

export function addCustomers(program: Command, cli: Cli): void {
  const customers = program.command('customers').description('Personal data of payers')

  customers
    .command('erase')
    .description(
      "erase a payer's name, email address, phone number, IP address and bank account; this cannot be undone",
    )
    .option('--payment <payment>', 'code or ID of one payment of the payer')
    .option('--email <address>', 'all payments with this email address')
    .option('--phone <number>', 'all payments with this phone number')
    .addOption(yesOption())
    .action(async ({ payment, email, phone, yes }: EraseFlags) => {
      const given = [payment, email, phone].filter(value => value !== undefined)
      if (given.length !== 1) throw new UsageError('pass one of --payment, --email and --phone')
      const gapura = cli.connect('user')
      await confirm(cli, `The personal data of the payer ${given[0]} will be erased`, { yes })
      const result = await gapura.account.eraseCustomer({
        ...(payment !== undefined && { payment_id: payment }),
        ...(email !== undefined && { customer_email: email }),
        ...(phone !== undefined && { customer_phone: phone }),
      })
      if (cli.json) printJson(cli, result)
      else note(cli, `Erased from ${result.erased} payments.`)
    })
}
