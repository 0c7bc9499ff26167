// The operators' command line. Each command loads only the modules it needs.

import { Command, CommanderError, Option } from 'commander'
import { type Config, readConfig } from '../config.ts'
import { namingUrl } from '../db/url-variable.ts'
import { explainError } from '../startup/explain-error.ts'
import { version } from '../version.ts'
import { CommandError, FAILED, USAGE } from './command-error.ts'
import type { Configured } from './database.ts'
import { type ProcessIo, type Progress, reporterOf } from './process-io.ts'

/**
 * The function that runs the service. Its parameter `read` is a function that reads and returns the
 * configuration.
 */
export type StartService = (read: () => Config) => Promise<void>

/** The streams, the configuration and the exit code that all commands share. */
type Context = {
  io: ProcessIo
  configured: () => Configured
  say: Progress
  progress: Progress
  /** The exit code if the command throws no error. */
  exitCode: number
}

/** Runs the command named by the arguments, or `start` without arguments, and returns its exit code. */
export async function runProgram(args: string[], io: ProcessIo, start: StartService): Promise<number> {
  const { say, progress } = reporterOf(io)
  const context: Context = {
    ...{ io, say, progress, exitCode: 0 },
    configured: () => ({ config: readConfig(io.env), progress }),
  }
  const program = programOf(io)
  addStart(program, io, start)
  addDatabase(program, context)
  addUsers(program, context)
  addKeys(program, context)
  addLedger(program, context)
  try {
    await program.parseAsync(args.length === 0 ? ['start'] : args, { from: 'user' })
    return context.exitCode
  } catch (error) {
    // Commander throws this error for invalid arguments, for `--help` and for `--version`, and has already printed its
    // message.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : USAGE
    progress(`gapura-server: ${error instanceof CommandError ? error.message : explainError(error)}`)
    return error instanceof CommandError ? error.exitCode : FAILED
  }
}

const programOf = ({ stdout, stderr }: ProcessIo): Command =>
  new Command('gapura-server')
    .description('Run and operate the Gapura service')
    .version(version)
    .exitOverride()
    .configureOutput({
      writeOut: text => void stdout.write(text),
      writeErr: text => void stderr.write(text),
      outputError: (text, write) => write(text.replace(/^error: /, 'gapura-server: ')),
    })
    .addHelpText(
      'after',
      `
Environment variables:
  DATABASE_URL                 database to use; without it, the embedded one in GAPURA_DATA_DIR
  GAPURA_DATA_DIR              data directory (.gapura)
  GAPURA_MASTER_KEY            master key; required with DATABASE_URL
  GAPURA_MIGRATE_DATABASE_URL  connection as the role that owns the tables, for migrate

Exit codes: 0 success, 1 error, 2 invalid arguments`,
    )

function addStart(program: Command, { env }: ProcessIo, start: StartService): void {
  program
    .command('start')
    .description('run the service until it receives SIGTERM or SIGINT; the default without arguments')
    .addOption(new Option('--role <role>', 'role of this process').choices(['all', 'api', 'worker']))
    .action(({ role }: { role?: string }) => start(() => readConfig(env, { GAPURA_ROLE: role })))
}

function addDatabase(program: Command, { io, configured, say, progress }: Context): void {
  program
    .command('migrate')
    .description('apply pending migrations to the database')
    .action(async () => {
      const { bindMasterKey, withDatabaseUrls } = await import('./database.ts')
      const { migrateDatabase } = await import('../db/migrate/prepare-database.ts')
      const on = configured()
      const names = await withDatabaseUrls(on, urls => migrateDatabase(urls, progress))
      await bindMasterKey(on)
      say(names.length === 0 ? 'The database is up to date.' : `Applied: ${names.join(', ')}`)
    })

  program
    .command('distribute')
    .description(
      'distribute the tables and their rows across the nodes of a Citus cluster; stop the service first (experimental)',
    )
    .option('--dry-run', 'print the statements, and change nothing')
    .action(async ({ dryRun = false }: { dryRun?: boolean }) => {
      const { withDatabaseUrls } = await import('./database.ts')
      const { distribute } = await import('../db/distribute/distribute.ts')
      const steps = await withDatabaseUrls(configured(), ({ directDatabaseUrl, migrateDatabaseUrl }) =>
        migrateDatabaseUrl === undefined
          ? distribute(directDatabaseUrl, { dryRun, say })
          : namingUrl('GAPURA_MIGRATE_DATABASE_URL', distribute(migrateDatabaseUrl, { dryRun, say })),
      )
      if (steps === 0) say('The database is already distributed.')
    })

  program
    .command('create-owner')
    .description(
      'create the Owner tenant and its first user; prompts for the password or reads it from stdin',
    )
    .requiredOption('--email <address>', 'email address of the user')
    .option('--name <name>', 'name of the tenant', 'Owner')
    .action(async (owner: { email: string; name: string }) => {
      const { createOwner, ownerInput } = await import('./create-owner.ts')
      const { readPassword } = await import('./read-password.ts')
      const { withDatabase } = await import('./database.ts')
      const input = ownerInput(owner)
      const password = await readPassword(io)
      await withDatabase(configured(), async ({ db }) => {
        const { tenantId } = await createOwner({ db }, { ...input, password })
        say(`Created the Owner tenant ${tenantId}. ${input.email} can now log in.`)
      })
    })

  program
    .command('recheck-payments')
    .description('poll the status of every unsettled payment now, for example after a restore')
    .action(async () => {
      const { withDatabase } = await import('./database.ts')
      const { recheckPayments } = await import('./recheck-payments.ts')
      await withDatabase(configured(), async ({ db }) => {
        say(`Payments scheduled for a status inquiry now: ${await recheckPayments({ db, progress })}`)
      })
    })
}

function addUsers(program: Command, { configured, say }: Context): void {
  program
    .command('reset-second-factor')
    .description("remove the second factor of a user who has lost it, and end all of the user's sessions")
    .argument('<email>', 'email address of the user')
    .action(async (given: string) => {
      const { withDatabase } = await import('./database.ts')
      const { resetFactorByEmail } = await import('./reset-second-factor.ts')
      await withDatabase(configured(), async ({ db }) => {
        const email = await resetFactorByEmail({ db, clock: () => new Date() }, given)
        say(
          `Removed the second factor and the recovery codes of ${email}, and ended all sessions of the user.`,
        )
        say('The service emails the user about this reset.')
        say(
          'Until the user adds a factor again on the Security page, the password alone is enough to log in.',
        )
      })
    })
}

function addKeys(program: Command, { configured, say }: Context): void {
  program
    .command('rotate-signing-key')
    .description('sign access tokens with a new key; users stay logged in')
    .action(async () => {
      const { withDatabase, openSecrets } = await import('./database.ts')
      const { rotateSigningKey } = await import('../auth/tokens/rotate-signing-key.ts')
      const on = configured()
      await withDatabase(on, async ({ db }) => {
        const secrets = await openSecrets(db, on.config)
        const { kid, followed, retiredAt } = await rotateSigningKey(
          { db, secrets, clock: () => new Date() },
          null,
        )
        say(`New access tokens are signed with key ${kid}.`)
        for (const old of followed)
          say(`Access tokens signed with key ${old} are valid until ${retiredAt.toISOString()}.`)
      })
    })

  program
    .command('rotate-master-key')
    .description(
      're-encrypt all secrets with the key in GAPURA_NEW_MASTER_KEY; run it again to resume after an interruption',
    )
    .action(async () => {
      const { replaceMasterKey } = await import('./replace-master-key.ts')
      for (const line of await replaceMasterKey(configured())) say(line)
    })
}

function addLedger(program: Command, context: Context): void {
  const { io, configured, say, progress } = context
  program
    .command('seal-ledger')
    .description(
      'seal all ledger entries posted so far with hashes, and print a signed statement about the ledger',
    )
    .action(async () => {
      const { withDatabase, openSecrets } = await import('./database.ts')
      const { stateLedgerNow } = await import('./state-ledger-now.ts')
      const on = configured()
      await withDatabase(on, async ({ db }) => {
        const secrets = await openSecrets(db, on.config)
        say(await stateLedgerNow({ db, secrets, publicUrl: on.config.publicUrl }))
      })
    })

  program
    .command('verify-ledger')
    .description(
      'recompute balances, seals and statements from the entries, and compare payments with their credits',
    )
    .option('--statement <file>', 'also check these archived statements against the ledger')
    .option('--json', 'print one JSON object to stdout')
    .action(async ({ json = false, statement }: { json?: boolean; statement?: string }) => {
      const { withDatabase } = await import('./database.ts')
      const { statementsOf } = await import('./read-statements.ts')
      const { providers } = await import('../compose.ts')
      const { verifyLedger } = await import('../verification/verify-ledger.ts')
      const { reportDifferences } = await import('./report-differences.ts')
      await withDatabase(configured(), async ({ db }) => {
        const statements = await statementsOf(db, statement)
        const report = reportDifferences(io, json)
        const found = await verifyLedger({ db, providers }, statements, {
          onDifference: report.difference,
          onPage: ({ entries, payments }) => progress(`${entries} entries and ${payments} payments checked`),
        })
        report.end(found)
        if (found.differences > 0) context.exitCode = FAILED
      })
    })
}
