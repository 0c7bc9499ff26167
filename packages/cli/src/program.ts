// Defines the commands of `gapura`, the command-line program for merchants and operators.

import { createRequire } from 'node:module'
import { Command } from 'commander'
import { addApi } from './api.ts'
import { addAudit } from './audit.ts'
import { addBranding } from './branding.ts'
import { addCallbacks } from './callbacks.ts'
import { type Cli, cliOf, type GlobalOptions } from './cli.ts'
import { addCompletion, COMPLETE, candidatesFor } from './completion.ts'
import { addCustomers } from './customers.ts'
import { addDoctor } from './doctor.ts'
import { addEndpoints } from './endpoints.ts'
import { failureOf } from './failure.ts'
import { addFees } from './fees.ts'
import { checkFilter } from './filter.ts'
import { addInit } from './init.ts'
import { addKeys } from './keys.ts'
import { addLedger } from './ledger.ts'
import { addLimits } from './limits.ts'
import { addLogin } from './login.ts'
import { addLogs } from './logs.ts'
import { addMethods } from './methods.ts'
import { addNotifications } from './notifications.ts'
import { addOpen } from './open.ts'
import { printFailure, printLines } from './output.ts'
import { addPassword } from './password.ts'
import { addPayments } from './payments.ts'
import type { ProcessIo } from './process-io.ts'
import { addProfiles } from './profiles.ts'
import { addProviders } from './providers.ts'
import { addReconciliation } from './reconciliation.ts'
import { addRefunds } from './refunds.ts'
import { addReports } from './reports.ts'
import { addEntitlements, addRoutes } from './routes.ts'
import { addSecondFactor } from './second-factor.ts'
import { DEFAULT_BASE_URL } from './session.ts'
import { addSessions } from './sessions.ts'
import { addSettlements } from './settlements.ts'
import { addSupport } from './support.ts'
import { addTenants } from './tenants.ts'
import { addTrigger } from './trigger.ts'
import { addUnexpectedMoney } from './unexpected-money.ts'
import { addUnknownPayments } from './unknown-payments.ts'
import { addUsers } from './users.ts'
import { addWebhooks } from './webhooks.ts'

const { version } = createRequire(import.meta.url)('../package.json') as { version: string }

/** Runs the command that the arguments specify, and returns its exit code. */
export async function runProgram(args: string[], io: ProcessIo): Promise<number> {
  const program = programOf(io)
  const cli = cliOf(program, io)
  addCommands(program, cli)
  const [first, ...words] = args
  try {
    if (first === COMPLETE) printLines(io, candidatesFor(program, words, io.env))
    else await run(program, cli, args)
    return cli.exitCode
  } catch (error) {
    const failure = failureOf(error, cli.source)
    if (failure.message !== '') printFailure(io, failure, args.includes('--json'))
    return failure.exitCode
  }
}

async function run(program: Command, cli: Cli, args: string[]): Promise<void> {
  try {
    program.hook('preAction', () => checkFilter(program.opts<GlobalOptions>()))
    await program.parseAsync(args, { from: 'user' })
  } finally {
    // Some commands, such as `reports reconcile`, print a result and then fail. The output filter (`--jq` or
    // `--template`) must still print this result.
    await cli.filtered?.done()
  }
}

const programOf = ({ stdout, stderr }: ProcessIo): Command =>
  new Command('gapura')
    .description('Create payments and manage a Gapura account from the terminal')
    .version(version)
    .option('--json', 'print only JSON to stdout, and errors as JSON to stderr')
    .option('--jq <filter>', 'filter the JSON with jq')
    .option('--template <template>', 'format the JSON with a Mustache template')
    .option('--no-color', 'print without colors, as with the environment variable NO_COLOR')
    .option('--profile <name>', 'profile to use (default: GAPURA_PROFILE, or the profile "default")')
    .configureHelp({ showGlobalOptions: true })
    .exitOverride()
    // Commander's own error output is disabled, because the code below prints the error and the next step in one line.
    .configureOutput({
      writeOut: text => void stdout.write(text),
      writeErr: text => void stderr.write(text),
      outputError: () => {},
    })
    .addHelpText(
      'after',
      `
Environment variables, which take precedence over the profile:
  GAPURA_BASE_URL      URL of the service (default: ${DEFAULT_BASE_URL})
  GAPURA_API_KEY       API key, gp_test_… or gp_live_…
  GAPURA_ACCESS_TOKEN  access token of a user
  GAPURA_SANDBOX_URL   URL of the sandbox (default: the port above that of a service on this machine)

Exit codes: 0 success, 1 error, 2 invalid arguments, 4 not logged in

First steps: gapura login, gapura doctor, gapura keys create --mode test --save, gapura payments create --help`,
    )

function addCommands(program: Command, cli: Cli): void {
  addLogin(program, cli)
  addPassword(program, cli)
  addSessions(program, cli)
  addNotifications(program, cli)
  addBranding(program, cli)
  addSecondFactor(program, cli)
  addPayments(program, cli)
  addMethods(program, cli)
  addTrigger(program, cli)
  addLedger(program, cli)
  addWebhooks(program, cli)
  addEndpoints(program, cli)
  addKeys(program, cli)
  addRefunds(program, cli)
  addReports(program, cli)
  addReconciliation(program, cli)
  addTenants(program, cli)
  addSupport(program, cli)
  addCustomers(program, cli)
  addLimits(program, cli)
  addFees(program, cli)
  addUsers(program, cli)
  addEntitlements(program, cli)
  addRoutes(program, cli)
  addProviders(program, cli)
  addSettlements(program, cli)
  addCallbacks(program, cli)
  addUnexpectedMoney(program, cli)
  addUnknownPayments(program, cli)
  addAudit(program, cli)
  addLogs(program, cli)
  addInit(program, cli)
  addApi(program, cli)
  addProfiles(program, cli)
  addOpen(program, cli)
  addDoctor(program, cli)
  addCompletion(program, cli)
}
