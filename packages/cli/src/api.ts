// `gapura api`: sends any request to the service with the current profile's credential.

import { type Command, InvalidArgumentError, Option } from 'commander'
import type { Cli } from './cli.ts'
import { FailedError, NotLoggedInError, UsageError } from './failure.ts'
import { printJson, printText } from './output.ts'
import { authorizationOf, credentialOf, type Kind, sourceOf } from './session.ts'
import { readStdin } from './terminal.ts'

type Pair = [name: string, value: string]
type Flags = { data?: string; header?: Pair[]; query?: Pair[]; as: Kind }

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']
const TIMEOUT_MS = 60_000

export function addApi(program: Command, cli: Cli): void {
  program
    .command('api')
    .description('send any request to the API and print the response')
    .argument('<method>', METHODS.join(', '), methodOf)
    .argument('<path>', 'path, such as /v1/payments')
    .option('-d, --data <json>', 'body of the request; "-" reads it from stdin')
    .addOption(
      new Option('-H, --header <name: value>', 'header of the request; can be repeated').argParser(
        pairs(/^([^\s:]+):\s*(.*)$/, 'X-Idempotency-Key: order-1'),
      ),
    )
    .addOption(
      new Option('-q, --query <name=value>', 'query parameter; can be repeated').argParser(
        pairs(/^([^=]+)=(.*)$/s, 'limit=5'),
      ),
    )
    .addOption(
      new Option('--as <credential>', 'credential to send')
        .choices(['either', 'user', 'api_key'])
        .default('either'),
    )
    .addHelpText(
      'after',
      `
  gapura api GET /v1/payments --query status=paid --jq '.data.items[].payment_code'
  gapura api PATCH /v1/tenants/<id> --data '{"tier":"growth"}'`,
    )
    .action((method: string, path: string, flags: Flags) => request(cli, method, path, flags))
}

async function request(cli: Cli, method: string, path: string, flags: Flags): Promise<void> {
  const url = urlOf(cli.baseUrl, path, flags.query ?? [])
  const body = flags.data === '-' ? await readStdin(cli) : flags.data
  const credential = credentialOf(cli.env, flags.as, cli.profile)
  cli.source = sourceOf(credential)
  const headers = new Headers({ accept: 'application/json' })
  if (body !== undefined) headers.set('content-type', 'application/json')
  for (const [name, value] of flags.header ?? []) headers.set(name, value)
  headers.set('authorization', await authorizationOf(cli.env, credential, cli.baseUrl, cli.profile))
  const { response, text } = await sent(url, { method, headers, ...(body !== undefined && { body }) })
  print(cli, text)
  if (response.ok) return
  const message = `HTTP ${response.status} ${response.statusText}`.trim()
  if (response.status === 401) throw new NotLoggedInError(message, 'run gapura login, or check the API key')
  throw new FailedError(message, 'correct the request; the response above shows the reason')
}

/**
 * Returns the URL for a path of the service. Rejects a path that leads to another host, because only the
 * service may receive the credential.
 */
function urlOf(baseUrl: string, path: string, query: Pair[]): string {
  if (!/^\/(?!\/)/.test(path)) throw new UsageError(`the path must start with one slash (got ${path})`)
  const url = new URL(baseUrl + path)
  for (const [name, value] of query) url.searchParams.append(name, value)
  return url.href
}

async function sent(url: string, init: RequestInit): Promise<{ response: Response; text: string }> {
  try {
    const response = await fetch(url, {
      ...init,
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    // `response.text()` would remove a byte order mark, which Excel needs at the beginning of a CSV file.
    const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(await response.arrayBuffer())
    return { response, text }
  } catch (error) {
    const { cause, message } = error as Error
    throw new FailedError(
      `no response from ${new URL(url).origin}: ${(cause as Error | undefined)?.message || message}`,
      'check GAPURA_BASE_URL and that the service is running (gapura doctor)',
    )
  }
}

/** Prints a response. Only JSON is indented. */
function print(cli: Cli, text: string): void {
  try {
    printJson(cli, JSON.parse(text))
  } catch {
    printText(cli, text)
  }
}

function methodOf(text: string): string {
  const method = text.toUpperCase()
  if (!METHODS.includes(method))
    throw new InvalidArgumentError(`The HTTP method must be ${METHODS.join(', ')}.`)
  return method
}

const pairs =
  (form: RegExp, example: string) =>
  (text: string, earlier: Pair[] = []): Pair[] => {
    const [, name, value] = form.exec(text) ?? []
    if (name === undefined || value === undefined)
      throw new InvalidArgumentError(`Write it like "${example}".`)
    return [...earlier, [name, value]]
  }
