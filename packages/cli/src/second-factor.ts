import type { Gapura, SecondFactor } from '@gapura/sdk'
import type { Command } from 'commander'
import { type Cli, onOrOff, whole, yesOption } from './cli.ts'
import { UsageError } from './failure.ts'
import { note, printFacts, printJson, printSecret, rupiah, shortTime } from './output.ts'
import { qrLines } from './qr-code.ts'
import { ask, confirm, isTerminal, type Question, readStdin } from './terminal.ts'

export function addSecondFactor(program: Command, cli: Cli): void {
  const factor = program
    .command('second-factor')
    .description("Your user's authenticator app and recovery codes")

  factor
    .command('show')
    .description('show your second factors')
    .action(async () => {
      const shown = await cli.connect('user').secondFactor.get()
      if (cli.json) printJson(cli, shown)
      else printFacts(cli, headingOf(shown), [], factsOf(shown))
    })

  factor
    .command('enable')
    .description(
      'create the secret for an authenticator app; then enable the app with "second-factor confirm-app"',
    )
    .action(async () => {
      const secret = await cli.connect('user').secondFactor.startTotp()
      if (cli.json) printJson(cli, secret)
      else {
        for (const line of qrLines(cli, secret.uri)) note(cli, line)
        printSecret(cli, 'Scan the code with the app, or enter this secret:', secret.secret)
        note(cli, 'Next: gapura second-factor confirm-app')
      }
    })

  factor
    .command('confirm-app')
    .description('enable the authenticator app by entering a code from the app')
    .addHelpText(
      'after',
      '\nPrompts for the code and, if you have no second factor yet, for your current password. Without a terminal, pass them on stdin, each on its own line.',
    )
    .action(async () => {
      const { secondFactor } = cli.connect('user')
      const enrolled = await secondFactor.confirmTotp(await readFirstCode(cli, secondFactor))
      if (cli.json) printJson(cli, enrolled)
      else showCodes(cli, enrolled.recovery_codes, 'The authenticator app is enabled.')
    })

  factor
    .command('disable')
    .description('disable the authenticator app')
    .addOption(yesOption())
    .action(async (flags: { yes?: true }) => {
      const { secondFactor } = cli.connect('user')
      await confirm(cli, 'The authenticator app will be disabled', flags)
      const removed = await secondFactor.removeTotp()
      if (cli.json) printJson(cli, removed)
      else note(cli, 'The authenticator app is disabled.')
    })

  factor
    .command('recovery-codes')
    .description('create new recovery codes; the earlier codes stop working')
    .action(async () => {
      const { recovery_codes } = await cli.connect('user').secondFactor.renewRecoveryCodes()
      if (cli.json) printJson(cli, { recovery_codes })
      else showCodes(cli, recovery_codes, 'The earlier recovery codes no longer work.')
    })

  factor
    .command('confirm')
    .description(
      'confirm your second factor for 15 minutes; commands that move money or rotate keys require this',
    )
    .addHelpText('after', '\nPrompts for the code. Without a terminal, the code is read from stdin.')
    .action(async () => {
      const confirmed = await cli.connect('user').secondFactor.confirm(await readCode(cli))
      if (cli.json) printJson(cli, confirmed)
      else note(cli, 'Your second factor is confirmed for 15 minutes. Repeat the command that required it.')
    })

  factor
    .command('remove-passkey')
    .description('remove a passkey')
    .argument('<id>', 'id of the passkey')
    .addOption(yesOption())
    .action(async (id: string, flags: { yes?: true }) => {
      const { secondFactor } = cli.connect('user')
      await confirm(cli, `Passkey ${id} will be removed`, flags)
      const removed = await secondFactor.removePasskey(id)
      if (cli.json) printJson(cli, removed)
      else note(cli, 'The passkey was removed.')
    })

  factor
    .command('require')
    .description('set whether all users of your tenant need a second factor')
    .argument('<on|off>', 'on or off', onOrOff)
    .action(async (isRequired: boolean) => {
      const set = await cli.connect('user').secondFactor.setRequired(isRequired)
      if (cli.json) printJson(cli, set)
      else
        note(
          cli,
          isRequired ? 'All users need a second factor.' : 'Users may log in without a second factor.',
        )
    })

  factor
    .command('refund-limit')
    .description('show or set the amount above which a refund by a user needs a recent second factor')
    .argument(
      '[rupiah]',
      'new limit in whole rupiah; with 0, every refund by a user needs a recent second factor',
      whole,
    )
    .addHelpText(
      'after',
      '\nThe limit applies to the sum of all refunds that users requested for one payment. Refunds with an API key need no second factor.',
    )
    .action(async (limit?: number) => {
      const gapura = cli.connect('user')
      const { refund_proof_above } = await (limit === undefined
        ? gapura.account.get()
        : gapura.secondFactor.setRefundProofAbove(limit * 100))
      if (cli.json) printJson(cli, { refund_proof_above })
      else
        note(cli, `Users must confirm their second factor to refund more than ${rupiah(refund_proof_above)}.`)
    })
}

/**
 * Reads a second-factor code from a prompt or from stdin. A code is never accepted as an argument, because other
 * processes can read arguments.
 */
export async function readCode(cli: Cli): Promise<string> {
  const [code = ''] = isTerminal(cli)
    ? await ask(cli, { text: 'Authenticator app code or recovery code:' })
    : [await readStdin(cli)]
  if (code.trim() === '')
    throw new UsageError('no code given', 'pass the code on stdin, or run the command in a terminal')
  return code.trim()
}

/** Reads the first code from an authenticator app, and the current password if the user has no second factor yet. */
async function readFirstCode(
  cli: Cli,
  secondFactor: Gapura['secondFactor'],
): Promise<{ code: string; currentPassword?: string }> {
  const [code = '', currentPassword = ''] = isTerminal(cli)
    ? await ask(cli, { text: 'Authenticator app code: ' }, ...(await passwordQuestion(secondFactor)))
    : (await readStdin(cli)).split(/\r?\n/)
  if (code.trim() === '')
    throw new UsageError('no code given', 'pass the code on stdin, or run the command in a terminal')
  return { code: code.trim(), ...(currentPassword !== '' && { currentPassword }) }
}

async function passwordQuestion(secondFactor: Gapura['secondFactor']): Promise<Question[]> {
  const { has_totp, passkeys } = await secondFactor.get()
  return has_totp || passkeys.length > 0 ? [] : [{ text: 'Current password: ', hidden: true }]
}

function showCodes(cli: Cli, codes: string[] | null, heading: string): void {
  note(cli, heading)
  if (codes === null) return
  printSecret(
    cli,
    'Recovery codes, each for one login without the app. They are shown only once; store them in a safe place.',
    codes.join('\n'),
  )
}

const headingOf = ({ has_totp, passkeys, is_required }: SecondFactor): string =>
  has_totp || passkeys.length > 0
    ? 'You have a second factor'
    : `You have no second factor${is_required ? ', but your tenant requires one' : ''}`

const factsOf = (factor: SecondFactor): [string, string][] => [
  ['Authenticator app', factor.has_totp ? 'enabled' : 'not enabled'],
  ...factor.passkeys.map((key): [string, string] => [
    `Passkey ${key.id}`,
    `${key.name}, last used ${shortTime(key.last_used_at) || 'never'}`,
  ]),
  ['Recovery codes left', String(factor.recovery_codes_left)],
]
