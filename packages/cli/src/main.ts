#!/usr/bin/env node
import { createRequire } from 'node:module'
import { Gapura } from '@gapura/sdk'
import { Command } from 'commander'
import { failureOf, NotLoggedInError } from './failure.ts'
import { printFailure } from './output.ts'
import { addPayments } from './payments.ts'

const { version } = createRequire(import.meta.url)('../package.json') as { version: string }
const DEFAULT_BASE_URL = 'http://127.0.0.1:8080'

/** Keys come from the environment alone: arguments are seen by every process and kept in the history. */
function connect(): Gapura {
  const apiKey = process.env.GAPURA_API_KEY?.trim()
  const baseUrl = process.env.GAPURA_BASE_URL?.trim() || DEFAULT_BASE_URL
  if (!apiKey) throw new NotLoggedInError('GAPURA_API_KEY is not set')
  if (!/^[\x21-\x7e]+$/.test(apiKey)) throw new NotLoggedInError('GAPURA_API_KEY is no API key')
  if (!/^https?:$/.test(URL.parse(baseUrl)?.protocol ?? ''))
    program.error(`GAPURA_BASE_URL is ${baseUrl}, which is no http address`)
  return new Gapura({ apiKey, baseUrl })
}

const program = new Command('gapura')
  .description('Payments from the terminal, by the Gapura service')
  .version(version)
  .exitOverride()
  // One line, printed below with what to do next.
  .configureOutput({ outputError: () => {} })
  .addHelpText(
    'after',
    `
Environment:
  GAPURA_API_KEY   the API key, gp_test_… or gp_live_…
  GAPURA_BASE_URL  where the service is (${DEFAULT_BASE_URL})

Exit codes: 0 done, 1 failed, 2 usage, 4 not logged in`,
  )
addPayments(program, connect)

try {
  await program.parseAsync()
} catch (error) {
  const failure = failureOf(error)
  if (failure.message !== '') printFailure(failure, process.argv.includes('--json'))
  process.exitCode = failure.exitCode
}
