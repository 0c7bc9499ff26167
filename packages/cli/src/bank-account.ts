import type { Command } from 'commander'

export type BankAccountFlags = { bank?: string; accountNumber?: string; accountHolder?: string }

/**
 * Returns the bank account from the flags `--bank`, `--account-number` and `--account-holder`, or undefined
 * if none is set. If only some are set, ends the command with a usage error.
 */
export function bankAccountOf({ bank, accountNumber, accountHolder }: BankAccountFlags, command: Command) {
  if (bank === undefined && accountNumber === undefined && accountHolder === undefined) return undefined
  if (bank === undefined || accountNumber === undefined || accountHolder === undefined)
    return command.error('pass --bank, --account-number and --account-holder together')
  return { bank, number: accountNumber, holder_name: accountHolder }
}
