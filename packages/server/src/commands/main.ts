#!/usr/bin/env node
// The operator's command line. Each action loads only the modules it needs.

import { Command, CommanderError, Option } from 'commander'
import { readConfig } from '../config.ts'
import { explain } from '../explain.ts'
import { CommandError, USAGE } from './command-error.ts'
import { say, sayProgress } from './say.ts'

const program = new Command('gapura-server')
  .description('The Gapura service, and what its operator does to it')
  .exitOverride()
  .configureOutput({ outputError: (text, write) => write(text.replace(/^error: /, 'gapura-server: ')) })
  .addHelpText(
    'after',
    `
The environment says which database and which keys: DATABASE_URL, GAPURA_MASTER_KEY, GAPURA_DATA_DIR; for migrate as whom,
too: GAPURA_MIGRATE_DATABASE_URL.
Without DATABASE_URL it is the embedded one below GAPURA_DATA_DIR.

Exit codes: 0 done, 1 failed, 2 usage`,
  )

program
  .command('start')
  .description('run the service until it is told to stop')
  .addOption(new Option('--role <role>', 'what this process does').choices(['all', 'api', 'worker']))
  .action(async ({ role }: { role?: string }) => {
    const { run } = await import('../main.ts')
    await run(() => readConfig(undefined, { GAPURA_ROLE: role }))
  })

program
  .command('migrate')
  .description('bring the database up to date')
  .action(async () => {
    const { withDatabaseUrls } = await import('./database.ts')
    const { migrateDatabase } = await import('../db/prepare-database.ts')
    await withDatabaseUrls(readConfig(), async urls => {
      const names = await migrateDatabase(urls, sayProgress)
      say(names.length === 0 ? 'The database is up to date.' : `Applied: ${names.join(', ')}`)
    })
  })

program
  .command('create-owner')
  .description(
    'make the first login, the operator; the password is asked for, or read from the standard input',
  )
  .requiredOption('--email <address>', 'what the Owner logs in with')
  .option('--name <name>', 'what the Owner is called', 'Owner')
  .action(async (owner: { email: string; name: string }) => {
    const { createOwner, ownerInput } = await import('./create-owner.ts')
    const { readPassword } = await import('./read-password.ts')
    const { withDatabase } = await import('./database.ts')
    const input = ownerInput(owner)
    const password = await readPassword()
    await withDatabase(readConfig(), async ({ db }) => {
      const { tenantId } = await createOwner({ db }, { ...input, password })
      say(`${input.email} can log in now. The Owner's tenant is ${tenantId}.`)
    })
  })

program
  .command('rotate-signing-key')
  .description('sign access tokens with a new key; nobody is logged out')
  .action(async () => {
    const { withDatabase, openSecrets } = await import('./database.ts')
    const { rotateSigningKey } = await import('../auth/rotate-signing-key.ts')
    const config = readConfig()
    await withDatabase(config, async ({ db }) => {
      const secrets = await openSecrets(db, config)
      const { kid, followed, retiredAt } = await rotateSigningKey(
        { db, secrets, clock: () => new Date() },
        null,
      )
      say(`New tokens are signed with ${kid}.`)
      for (const old of followed) say(`Tokens signed with ${old} hold until ${retiredAt.toISOString()}.`)
    })
  })

program
  .command('rotate-master-key')
  .description(
    'seal everything under the key in GAPURA_NEW_MASTER_KEY; started again, it goes on where it ended',
  )
  .action(async () => {
    const { replaceMasterKey } = await import('./replace-master-key.ts')
    for (const line of await replaceMasterKey(readConfig(), sayProgress)) say(line)
  })

program
  .command('recheck-payments')
  .description('have the workers ask the providers about every unsettled payment now, as after a restore')
  .action(async () => {
    const { withDatabase } = await import('./database.ts')
    const { recheckPayments } = await import('./recheck-payments.ts')
    await withDatabase(readConfig(), async ({ db }) => {
      say(`Payments that the workers ask the providers about now: ${await recheckPayments({ db })}`)
    })
  })

program
  .command('seal-ledger')
  .description('seal what was posted until now, and print a signed statement about it')
  .action(async () => {
    const { withDatabase, openSecrets } = await import('./database.ts')
    const { stateLedgerNow } = await import('./state-ledger-now.ts')
    const config = readConfig()
    await withDatabase(config, async ({ db }) => {
      say(await stateLedgerNow({ db, secrets: await openSecrets(db, config), publicUrl: config.publicUrl }))
    })
  })

program
  .command('verify-ledger')
  .description(
    'compute balances, seals and statements anew from the entries, and compare payments with their credits',
  )
  .option('--statement <file>', 'statements that were kept elsewhere, to be held against the ledger, too')
  .option('--json', 'one JSON object on the standard output')
  .action(async ({ json = false, statement }: { json?: boolean; statement?: string }) => {
    const { withDatabase } = await import('./database.ts')
    const { statementsOf } = await import('./read-statements.ts')
    const { providers } = await import('../compose.ts')
    const { verifyLedger } = await import('../verification/verify-ledger.ts')
    const { reportDifferences } = await import('./report-differences.ts')
    await withDatabase(readConfig(), async ({ db }) => {
      const statements = await statementsOf(db, statement)
      const report = reportDifferences(json)
      const found = await verifyLedger({ db, providers }, statements, {
        onDifference: report.difference,
        onPage: ({ entries, payments }) => sayProgress(`${entries} entries, ${payments} payments`),
      })
      report.end(found)
      if (found.differences > 0) process.exitCode = 1
    })
  })

try {
  await program.parseAsync()
} catch (error) {
  process.exitCode = failed(error)
}

function failed(error: unknown): number {
  // Help and version also end as errors. Messages about wrong usage have already been printed.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : USAGE
  process.stderr.write(`gapura-server: ${error instanceof CommandError ? error.message : explain(error)}\n`)
  return error instanceof CommandError ? error.exitCode : 1
}
