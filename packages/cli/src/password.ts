// Reads passwords from a prompt, or from stdin with one value per line. Passwords are never accepted as command-line
// arguments, because other processes can read these arguments.

import type { Command } from 'commander'
import type { Cli } from './cli.ts'
import { UsageError } from './failure.ts'
import { note, printJson } from './output.ts'
import { anonymous } from './session.ts'
import { ask, isTerminal, readStdin } from './terminal.ts'

export function addPassword(program: Command, cli: Cli): void {
  const password = program.command('password').description('Change or reset the password of a user')

  password
    .command('change')
    .description('change your password; ends all other sessions')
    .addHelpText(
      'after',
      '\nWithout a terminal, pass the current and the new password on stdin, each on its own line.',
    )
    .action(async () => {
      const { account } = cli.connect('user')
      const { given, newPassword } = await readWithNewPassword(cli, 'Current password: ')
      const changed = await account.changePassword({ currentPassword: given, newPassword })
      if (cli.json) printJson(cli, changed)
      else note(cli, 'Your password was changed. All other sessions have ended.')
    })

  password
    .command('request-reset')
    .description('email a token with which a user can reset the password')
    .requiredOption('--tenant <id>', "id of the user's tenant")
    .requiredOption('--email <address>', 'email address of the user')
    .action(async ({ tenant, email }: { tenant: string; email: string }) => {
      const { auth } = anonymous(cli.baseUrl)
      const requested = await auth.requestPasswordReset({ tenant_id: tenant, email })
      if (cli.json) printJson(cli, requested)
      else
        note(
          cli,
          `If ${email} belongs to a user of the tenant, the service has sent an email with a token. Next, run gapura password reset`,
        )
    })

  password
    .command('reset')
    .description('set a new password with the token from the email')
    .addHelpText(
      'after',
      '\nWithout a terminal, pass the token and the new password on stdin, each on its own line.',
    )
    .action(async () => {
      const { given, newPassword } = await readWithNewPassword(cli, 'Token from the email: ')
      const { auth } = anonymous(cli.baseUrl)
      const reset = await auth.confirmPasswordReset({ token: given.trim(), newPassword })
      if (cli.json) printJson(cli, reset)
      else note(cli, 'The password was reset, and all sessions have ended. Next: gapura login')
    })

  password
    .command('accept-invitation')
    .description('set your first password with the token from the link in the invitation')
    .addHelpText(
      'after',
      '\nWithout a terminal, pass the token and the new password on stdin, each on its own line.',
    )
    .action(async () => {
      const { given, newPassword } = await readWithNewPassword(
        cli,
        'Token from the invitation link (after #): ',
      )
      const { auth } = anonymous(cli.baseUrl)
      const accepted = await auth.acceptInvitation({ token: given.trim(), newPassword })
      if (cli.json) printJson(cli, accepted)
      else note(cli, 'Your password was set. Next: gapura login')
    })
}

/**
 * Reads two values: the current password or the reset token, and the new password. On a terminal, the user must enter
 * the new password twice.
 */
async function readWithNewPassword(
  cli: Cli,
  question: string,
): Promise<{ given: string; newPassword: string }> {
  const hidden = true
  const [given = '', newPassword = '', repeated = newPassword] = isTerminal(cli)
    ? await ask(
        cli,
        { text: question, hidden },
        { text: 'New password: ', hidden },
        { text: 'Repeat the new password: ', hidden },
      )
    : (await readStdin(cli)).replace(/\r?\n$/, '').split(/\r?\n/)
  if (given === '' || newPassword === '')
    throw new UsageError(
      'the current password or token, and the new password, are required',
      'pass both values on stdin, each on its own line, or run the command in a terminal',
    )
  if (repeated !== newPassword) throw new UsageError('the passwords do not match', 'try again')
  return { given, newPassword }
}
