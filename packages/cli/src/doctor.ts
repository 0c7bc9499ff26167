// `gapura doctor`: checks everything that webhook deliveries depend on. The most basic checks come first.

import { statSync } from 'node:fs'
import type { Gapura } from '@gapura/sdk'
import type { Command } from 'commander'
import type { Cli } from './cli.ts'
import { configFile } from './config.ts'
import { FailedError, failureOf, NotLoggedInError } from './failure.ts'
import { listTable, printJson, printLines, shortTime } from './output.ts'
import type { Env } from './process-io.ts'
import { clientOf, credentialOf, loginOf, sourceOf } from './session.ts'

type Check = { name: string; result: 'ok' | 'warning' | 'failed'; detail: string; next: string }

const TIMEOUT_MS = 5_000
/**
 * If the clocks of the service and this computer differ by more than this many seconds, `gapura doctor` prints a
 * warning. The reason is that receivers reject webhooks whose timestamp is off by more than 300 s.
 */
const CLOCK_WARNING_S = 30

const ok = (name: string, detail: string): Check => ({ name, result: 'ok', detail, next: '' })
const warning = (name: string, detail: string, next: string): Check => ({
  name,
  result: 'warning',
  detail,
  next,
})
const failed = (name: string, detail: string, next: string): Check => ({
  name,
  result: 'failed',
  detail,
  next,
})

export function addDoctor(program: Command, cli: Cli): void {
  program
    .command('doctor')
    .description('check the service, the clocks, the credentials and the webhooks, and suggest fixes')
    .action(() => examine(cli))
}

async function examine(cli: Cli): Promise<void> {
  const checks = [...checkFile(cli.env), ...(await checkService(cli.baseUrl))]
  const reached = checks.every(check => check.result !== 'failed')
  if (reached) checks.push(...(await checkCredentials(cli)))
  if (cli.json) printJson(cli, { base_url: cli.baseUrl, profile: cli.profile, checks })
  else show(cli, checks)

  const wrong = checks.filter(check => check.result === 'failed')
  if (wrong.length === 0) return
  const message = `failed checks: ${wrong.map(check => check.name).join(', ')}`
  if (wrong.every(check => check.name === 'credentials'))
    throw new NotLoggedInError(message, wrong[0]?.next ?? '')
  throw new FailedError(message, wrong[0]?.next ?? '')
}

function show(cli: Cli, checks: Check[]): void {
  printLines(
    cli,
    listTable(
      [
        { title: 'CHECK', value: check => check.name },
        { title: 'RESULT', value: check => check.result },
        { title: 'DETAIL', value: check => check.detail, cut: true },
      ],
      checks,
      cli.stdout.columns,
    ),
  )
  const advice = checks.filter(check => check.next !== '')
  if (advice.length > 0)
    printLines(cli, ['', ...advice.map(check => `${check.name}: ${check.detail}; ${check.next}`)])
}

function checkFile(env: Env): Check[] {
  const file = configFile(env)
  const mode = statSync(file, { throwIfNoEntry: false })?.mode
  if (mode === undefined) return []
  return (mode & 0o077) === 0 || process.platform === 'win32'
    ? [ok('profile', file)]
    : [warning('profile', `${file} is readable by other users`, `chmod 600 ${file}`)]
}

async function checkService(baseUrl: string): Promise<Check[]> {
  const askedAt = Date.now()
  let response: Response
  try {
    response = await fetch(`${baseUrl}/readyz`, {
      signal: AbortSignal.timeout(TIMEOUT_MS),
      redirect: 'manual',
    })
  } catch (error) {
    const { message, cause } = error as Error & { cause?: { message?: string; code?: string } }
    return [
      failed(
        'address',
        `no response from ${baseUrl}: ${cause?.message || cause?.code || message}`,
        'start the service, or correct its URL (GAPURA_BASE_URL, or base_url in your profile)',
      ),
    ]
  }
  const answeredAt = Date.now()
  const body = (await response.json().catch(() => undefined)) as
    | { status?: string; checks?: Record<string, boolean> }
    | undefined
  if (typeof body?.status !== 'string')
    return [
      failed(
        'address',
        `${baseUrl} returned ${response.status}, but the response is not from Gapura`,
        "correct the service's address",
      ),
    ]
  return [
    ok('address', baseUrl),
    checkReadiness(response.ok, body.checks ?? {}),
    checkClock(response.headers.get('date'), askedAt, answeredAt),
  ]
}

function checkReadiness(ready: boolean, parts: Record<string, boolean>): Check {
  if (ready) return ok('readiness', 'ready')
  const missing = Object.keys(parts).filter(part => !parts[part])
  return failed(
    'readiness',
    `not ready: ${missing.join(', ')}`,
    "retry in a moment; if the service is still not ready, check the service's log",
  )
}

function checkClock(date: string | null, askedAt: number, answeredAt: number): Check {
  if (date === null)
    return warning(
      'clock',
      "the service's response has no Date header, so the clock could not be checked",
      'check whether a proxy removes the Date header',
    )
  // The Date header of a response contains only whole seconds, so its time is half a second too early on
  // average. Adding half a second corrects this.
  const differenceS = Math.round((Date.parse(date) + 500 - (askedAt + answeredAt) / 2) / 1_000)
  if (Math.abs(differenceS) <= CLOCK_WARNING_S) return ok('clock', 'in sync with the clock of the service')
  return warning(
    'clock',
    `the service's clock is ${Math.abs(differenceS)} s ${differenceS > 0 ? 'ahead' : 'behind'}`,
    'sync the clocks of the service and this computer with NTP: receivers reject webhooks whose timestamp is more than 300 s off',
  )
}

async function checkCredentials(cli: Cli): Promise<Check[]> {
  const key = await tried(
    cli,
    'api_key',
    async gapura => `API key for ${(await gapura.account.getBalance()).mode} mode`,
  )
  const user = await tried(cli, 'user', async gapura => {
    const { user, name, role } = await gapura.account.get()
    return `${user.email} of ${name} (${role})`
  })
  const found = [key, user].filter(check => check !== undefined)
  if (found.length === 0)
    return [
      failed('credentials', 'no credentials found', `run ${loginOf(cli.profile)}, or set GAPURA_API_KEY`),
    ]
  return user?.result === 'ok' ? [...found, ...(await checkWebhooks(cli))] : found
}

/**
 * Sends a request with the user's API key or access token, as `kind` requires. Returns undefined if the user has
 * no such credential.
 */
async function tried(
  cli: Cli,
  kind: 'api_key' | 'user',
  use: (gapura: Gapura) => Promise<string>,
): Promise<Check | undefined> {
  try {
    const credential = credentialOf(cli.env, kind, cli.profile)
    cli.source = sourceOf(credential)
    return ok('credentials', await use(clientOf(cli.env, credential, cli.baseUrl, cli.profile)))
  } catch (error) {
    const { message, next } = failureOf(error, cli.source)
    const absent = error instanceof NotLoggedInError && / is not set|not logged in/.test(message)
    return absent ? undefined : failed('credentials', message, next)
  }
}

async function checkWebhooks(cli: Cli): Promise<Check[]> {
  const gapura = cli.connect('user')
  // The Owner (the service's operator) and Partners (resellers) receive no webhooks, because they have no
  // payments.
  if ((await gapura.account.get()).role !== 'client') return []
  const { callback_url: url } = await gapura.webhookEndpoint.get()
  if (url === null)
    return [
      warning(
        'webhooks',
        'no callback URL for webhooks is set',
        'run gapura webhooks set-url <url>, then gapura webhooks test',
      ),
    ]
  const [last] = (await gapura.webhookDeliveries.list({ limit: 1 })).items
  if (last?.status === 'permanently_failed')
    return [
      warning(
        'webhooks',
        `the last webhook delivery to ${url} failed permanently at ${shortTime(last.attempts.at(-1)?.started_at ?? last.created_at)}`,
        'fix your webhook receiver, then run gapura webhooks test and gapura webhooks redeliver --failed-since <time>',
      ),
    ]
  if (!url.startsWith('https:'))
    return [warning('webhooks', `${url} does not use HTTPS`, 'use HTTPS in production')]
  return [ok('webhooks', url)]
}
