import type { Command } from 'commander'

export type BankAccountFlags = { bank?: string; accountNumber?: string; accountHolder?: string }

/**
 * Returns the bank account from the flags, or undefined if none of the three flags is set. If only some of the
 * flags are set, ends the command with a usage error.
 */
export function bankAccountOf({ bank, accountNumber, accountHolder }: BankAccountFlags, command: Command) {
  if (bank === undefined && accountNumber === undefined && accountHolder === undefined) return undefined
  if (bank === undefined || accountNumber === undefined || accountHolder === undefined)
    return command.error('pass --bank, --account-number and --account-holder together')
  return { bank, number: accountNumber, holder_name: accountHolder }
}
