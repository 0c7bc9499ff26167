// Commands that show the log of requests sent with the tenant's API keys.

import { setTimeout as pause } from 'node:timers/promises'
import type { ApiRequest, Gapura } from '@gapura/sdk'
import type { Command } from 'commander'
import { type Cli, emptyText, type ModeChoice, modeColumn, modeFilterOption } from './cli.ts'
import { addLongListOptions, type ListFlags, showList } from './lists.ts'
import { readThroughOutages } from './outage.ts'
import {
  type Column,
  note,
  painted,
  printable,
  printFacts,
  printJson,
  printLines,
  shortTime,
  time,
} from './output.ts'

type Filter = { mode?: ModeChoice; status?: string; method?: string; path?: string }
type ListFilter = ListFlags & Filter & { from?: string; to?: string }
type Query = NonNullable<Parameters<Gapura['requests']['list']>[0]>

const POLL_MS = 1_000
/**
 * The length, in milliseconds, of the last part of the log, which each poll reads again. Several processes write the
 * log, so an entry may appear a second or more after its response was sent.
 */
const OVERLAP_MS = 30_000

const columns: Column<ApiRequest>[] = [
  { title: 'TIME', value: request => shortTime(request.created_at) },
  { title: 'STATUS', value: request => String(request.status), right: true },
  { title: 'METHOD', value: request => request.method },
  { title: 'PATH', value: request => request.path, cut: true },
  { title: 'ERROR', value: request => request.error_code ?? '' },
  { title: 'MS', value: request => String(request.duration_ms), right: true, extra: true },
  { title: 'REQUEST ID', value: request => request.request_id },
]

const addFilters = (command: Command): Command =>
  command
    .addOption(modeFilterOption('requests'))
    .option(
      '--status <status>',
      'only requests with this HTTP status, such as 404, or status class, such as 4xx',
    )
    .option('--method <method>', 'only requests with this HTTP method, such as POST')
    .option('--path <path>', 'only requests whose path starts with this text, such as /v1/payments')

const queryOf = ({ mode, status, method, path }: Filter): Query => ({
  mode,
  status,
  method: method?.toUpperCase() as Query['method'],
  path,
})

export function addLogs(program: Command, cli: Cli): void {
  const logs = program.command('logs').description('Log of the requests that your API keys sent')

  addFilters(addLongListOptions(logs.command('list').description('list requests, newest first by default')))
    .option(
      '--from <day>',
      'only requests on or after this day (in Asia/Jakarta, such as 2026-11-01) or time',
    )
    .option('--to <day>', 'only requests on or before this day or time')
    .action(({ from, to, mode, status, method, path, ...flags }: ListFilter) => {
      const gapura = cli.connect('either')
      const query = { ...queryOf({ mode, status, method, path } as Filter), from, to }
      const list = (page: object) => gapura.requests.list({ ...query, ...page })
      return showList(
        cli,
        flags,
        list,
        [...modeColumn(mode), ...columns],
        emptyText(cli, mode, 'No requests found.'),
      )
    })

  logs
    .command('get')
    .description('show one logged request')
    .argument('<request-id>', 'X-Request-Id of the response')
    .action(async (id: string) => showRequest(cli, await cli.connect('either').requests.get(id)))

  addFilters(
    logs.command('tail').description('show the requests of your API keys as they arrive, until Ctrl-C'),
  ).action((filter: Filter) => tail(cli, cli.connect('either'), queryOf(filter)))
}

async function tail(cli: Cli, gapura: Gapura, query: Query): Promise<void> {
  const stop = new AbortController()
  const onSignal = () => stop.abort()
  process.once('SIGINT', onSignal)
  try {
    note(cli, emptyText(cli, query.mode, 'Waiting for requests. Press Ctrl-C to stop.'))
    await follow(cli, gapura, query, stop.signal)
  } catch (error) {
    if (!stop.signal.aborted) throw error
  } finally {
    process.off('SIGINT', onSignal)
  }
}

async function follow(cli: Cli, gapura: Gapura, query: Query, signal: AbortSignal): Promise<void> {
  let from = await overlapStart(gapura, query, signal)
  let known = new Set((await since(gapura, query, from, signal)).map(({ id }) => id))
  while (!signal.aborted) {
    await pause(POLL_MS, undefined, { signal })
    const start = from
    const read = async () => ({
      next: await overlapStart(gapura, query, signal),
      found: await since(gapura, query, start, signal),
    })
    const { next, found } = await readThroughOutages(cli, 'still waiting', read, signal)
    for (const request of found) {
      if (known.has(request.id)) continue
      printLines(cli, [cli.json ? JSON.stringify(request) : lineOf(request, cli.colors)])
    }
    // Only the requests from the latest poll are remembered. This is enough to print each request once, because no
    // later poll reads an earlier part of the log.
    known = new Set(found.map(({ id }) => id))
    from = next
  }
}

/**
 * Returns the time from which the next poll reads the log, or undefined if the log is empty. The time is based on the
 * log's latest request, because this computer's clock may be wrong. Only the user's mode filter applies to this search:
 * the latest request that matches all filters may be old.
 */
async function overlapStart(
  gapura: Gapura,
  { mode }: Query,
  signal: AbortSignal,
): Promise<string | undefined> {
  const [latest] = (await gapura.requests.list({ mode, limit: 1 }, { signal })).items
  return latest && new Date(Date.parse(latest.created_at) - OVERLAP_MS).toISOString()
}

/** Returns the requests logged at or after the given time, oldest first. */
async function since(
  gapura: Gapura,
  query: Query,
  from: string | undefined,
  signal: AbortSignal,
): Promise<ApiRequest[]> {
  const found: ApiRequest[] = []
  for await (const request of gapura.requests.list({ ...query, from, limit: 100 }, { signal }))
    found.unshift(request)
  return found
}

function lineOf(request: ApiRequest, colors: boolean): string {
  const { status, method, path, error_code: code, duration_ms: ms, request_id: id } = request
  const at = new Date(request.created_at).toTimeString().slice(0, 8)
  const style = status >= 500 ? 'red' : status >= 400 ? 'yellow' : 'green'
  const rest = [method.padEnd(6), path, ...(code === null ? [] : [code]), `${ms} ms`, id].map(printable)
  return [at, painted(style, String(status), colors), ...rest].join('  ')
}

function showRequest(cli: Cli, request: ApiRequest): void {
  if (cli.json) {
    printJson(cli, request)
    return
  }
  printFacts(
    cli,
    `${request.status} ${request.method} ${request.path}`,
    [],
    [
      ['Time', time(request.created_at)],
      ['Request ID', request.request_id],
      ['Mode', request.mode],
      ['API key', request.api_key_name ?? request.api_key_id],
      ['Error', request.error_code ?? ''],
      ['Field', request.error_field ?? ''],
      ['Idempotency key', request.idempotency_key ?? ''],
      ['Duration', `${request.duration_ms} ms`],
      ['Client', request.client_address ?? ''],
      ['User agent', request.user_agent ?? ''],
      ['Payment', request.payment_code ?? ''],
      ['Payment ID', request.payment_id ?? ''],
    ],
  )
}
