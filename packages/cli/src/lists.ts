// Shared code for the commands that print a list. Each command reads pages from the service until it has as
// many items as --limit or --all requires.

import { type Command, InvalidArgumentError, Option } from 'commander'
import type { Cli } from './cli.ts'
import { type Column, listTable, note, printJson, printLines } from './output.ts'

type Total = { count: number; is_exact: boolean }
type Page<Row> = { items: Row[]; next_cursor: string | null; total?: Total }
type PageQuery = { limit: number; cursor: string | undefined; order?: 'newest' | 'oldest'; count?: 'true' }
export type ListFlags = {
  limit?: number
  all?: true
  cursor?: string
  order?: 'newest' | 'oldest'
  count?: true
}

const DEFAULT_LIMIT = 20
const LARGEST_PAGE = 100

export const addListOptions = (command: Command): Command =>
  command
    .addOption(
      new Option('--limit <n>', `maximum number of items (default: ${DEFAULT_LIMIT})`).argParser(positive),
    )
    .addOption(new Option('--all', 'show all items').conflicts('limit'))
    .option(
      '--cursor <cursor>',
      'print the next page of the list: pass the cursor printed below the previous page',
    )

/**
 * Adds the options for a list that can become very long: the options that every list has, and also --order
 * and --count.
 */
export const addLongListOptions = (command: Command): Command =>
  addListOptions(command)
    .addOption(
      new Option('--order <order>', 'newest or oldest first (default: newest)').choices(['newest', 'oldest']),
    )
    .option('--count', 'also show how many items match, up to 10,000')

function positive(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError('It must be a whole number of at least 1.')
  return Number(text)
}

export async function showList<Row>(
  cli: Cli,
  flags: ListFlags,
  fetchPage: (page: PageQuery) => Promise<Page<Row>>,
  columns: Column<Row>[],
  whenEmpty: string,
): Promise<void> {
  const { page, failure } = await collect(cli, flags, fetchPage)
  if (cli.json) printJson(cli, page)
  else {
    showRows(cli, page.items, columns, whenEmpty)
    if (page.total) note(cli, `Matching items: ${countText(page.total)}`)
    if (page.next_cursor !== null) {
      const more = 'More items are available: add --all, or continue with'
      note(cli, failure ? 'The list is incomplete because a request failed. Continue with' : more)
      note(cli, `  --cursor ${page.next_cursor}`)
    }
  }
  if (failure) throw failure.error
}

const countText = ({ count, is_exact }: Total): string =>
  `${count.toLocaleString('en')}${is_exact ? '' : '+'}`

export function showRows<Row>(cli: Cli, rows: Row[], columns: Column<Row>[], whenEmpty: string): void {
  if (rows.length === 0) note(cli, whenEmpty)
  else printLines(cli, listTable(columns, rows, cli.stdout.columns))
}

/**
 * Reads the pages of a list. If a request fails after the first page, returns the items read so far, the error, and the
 * cursor of the failed request. With this cursor, the user can continue the list.
 */
async function collect<Row>(
  { progress }: Cli,
  { all, limit = DEFAULT_LIMIT, cursor: first, order, count }: ListFlags,
  fetchPage: (page: PageQuery) => Promise<Page<Row>>,
): Promise<{ page: Page<Row>; failure: { error: unknown } | undefined }> {
  const wanted = all ? Number.POSITIVE_INFINITY : limit
  const items: Row[] = []
  let total: Total | undefined
  let cursor = first ?? null
  let failure: { error: unknown } | undefined
  try {
    do {
      const page = await fetchPage({
        limit: Math.min(LARGEST_PAGE, wanted - items.length),
        cursor: cursor ?? undefined,
        ...(order && { order }),
        // The total count is the same on every page, so the CLI requests it only with the first page.
        ...(count && items.length === 0 && !total && { count: 'true' as const }),
      })
      total ??= page.total
      items.push(...page.items)
      cursor = page.next_cursor
      if (cursor !== null && items.length < wanted) progress(`${items.length} items read, loading more`)
    } while (cursor !== null && items.length < wanted)
  } catch (error) {
    if (items.length === 0) throw error
    failure = { error }
  } finally {
    progress('')
  }
  return { page: { items, next_cursor: cursor, ...(total && { total }) }, failure }
}
