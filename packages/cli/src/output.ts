// Prints commands' output: text that fits the terminal or, with the option --json, only JSON.

import { stripVTControlCharacters, styleText } from 'node:util'
import type { Failure } from './failure.ts'
import type { ProcessIo } from './process-io.ts'

type Stdout = Pick<ProcessIo, 'stdout'>
/** True if the output may contain colors, which only a terminal can show. */
type Painted = Stdout & { colors: boolean }
type Stderr = Pick<ProcessIo, 'stderr'>

export type Facts = [label: string, value: string][]

export function printJson({ stdout }: Stdout, value: unknown): void {
  // JSON.stringify escapes control characters only up to U+001F, but some terminals also obey U+0080 to U+009F.
  const text = JSON.stringify(value, null, 2).replace(
    /[\x7f-\x9f]/g,
    character => `\\u00${character.charCodeAt(0).toString(16)}`,
  )
  stdout.write(`${text}\n`)
}

/**
 * Prints a text that other people may have written. Pipes and files get the text unchanged. On a terminal, control
 * characters other than line breaks and tabs are removed, because they could control the terminal.
 */
export function printText({ stdout }: Stdout, text: string): void {
  const isTerminal = stdout.columns !== undefined
  stdout.write(isTerminal ? stripVTControlCharacters(text).replace(/[^\P{Cc}\n\t]+/gu, ' ') : text)
}

/** Prints a heading, then the values that users copy (each on its own line), then a table with all other values. */
export function printFacts(
  { stdout, colors }: Painted,
  heading: string,
  callouts: Facts,
  facts: Facts,
): void {
  const lines = [
    printable(heading),
    '',
    ...callouts.flatMap(([label, value]) => [`${label}:`, '', `  ${bold(value, colors)}`, '']),
    ...table(facts, stdout.columns),
  ]
  stdout.write(`${lines.join('\n')}\n`)
}

/** Prints the failure, either as one line of text or as one JSON object. */
export function printFailure({ stderr }: Stderr, failure: Failure, json: boolean): void {
  const {
    code,
    message,
    next,
    status,
    field,
    requestId: request_id,
    idempotencyKey: idempotency_key,
  } = failure
  const error = { code, message, next, status, field, request_id, idempotency_key }
  const text = json
    ? JSON.stringify({ error })
    : `gapura: ${printable(message).replace(/\.$/, '')}; ${printable(next)}`
  stderr.write(`${text}\n`)
}

/**
 * Returns the lines of a table. `width` is the terminal's width. If the output is not a terminal, `width` is
 * infinite, so values are not wrapped.
 */
export function table(facts: Facts, width = Number.POSITIVE_INFINITY): string[] {
  const shown = facts.filter(([, value]) => value !== '')
  const labelWidth = Math.max(0, ...shown.map(([label]) => label.length)) + 2
  const valueWidth = Math.max(20, width - labelWidth)
  return shown.flatMap(([label, value]) =>
    folded(printable(value), valueWidth).map(
      (line, number) => `${(number === 0 ? label : '').padEnd(labelWidth)}${line}`,
    ),
  )
}

/** A column in a list. Its settings define how the list fits a narrow terminal. */
export type Column<Row> = {
  title: string
  value: (row: Row) => string
  right?: true
  /** True if the column's values may be truncated on a narrow terminal. */
  cut?: true
  /** True if the column may be left out on a narrow terminal. */
  extra?: true
}

const NARROWEST_CUT = 10
const GAP = '  '

/**
 * Returns the lines of a table with column titles. If the required columns alone are wider than the terminal,
 * returns one block of lines per row instead.
 */
export function listTable<Row>(
  columns: Column<Row>[],
  rows: Row[],
  width = Number.POSITIVE_INFINITY,
): string[] {
  const texts = columns.map(column => ({
    ...column,
    cells: [column.title, ...rows.map(row => printable(column.value(row)))],
  }))
  let shown = texts.map(column => ({ ...column, width: longestOf(column.cells) }))
  const overBy = (widthOf: (column: (typeof shown)[number]) => number) =>
    shown.reduce((sum, column) => sum + widthOf(column) + GAP.length, -GAP.length) - width
  // First, columns are left out until the remaining columns would fit the terminal with truncated values. Then the
  // values are truncated only as much as necessary.
  while (overBy(column => (column.cut ? Math.min(NARROWEST_CUT, column.width) : column.width)) > 0) {
    const extra = shown.findLast(column => column.extra)
    if (!extra) return blocks(columns, rows, width)
    shown = shown.filter(column => column !== extra)
  }
  while (overBy(({ width }) => width) > 0) {
    const widest = shown.filter(({ cut }) => cut).sort((a, b) => b.width - a.width)[0]
    if (!widest) break
    widest.width -= 1
  }
  return (
    texts[0]?.cells.map((_, row) =>
      shown
        .map(({ cells, width, right }) => {
          const text = cutTo(cells[row] ?? '', width)
          const padding = ' '.repeat(Math.max(0, width - lengthOf(text)))
          return right ? padding + text : text + padding
        })
        .join(GAP)
        .trimEnd(),
    ) ?? []
  )
}

const blocks = <Row>(columns: Column<Row>[], rows: Row[], width: number): string[] =>
  rows.flatMap((row, index) => [
    ...(index === 0 ? [] : ['']),
    ...table(
      columns.map(({ title, value }) => [title, value(row)]),
      width,
    ),
  ])

const cutTo = (text: string, width: number): string =>
  lengthOf(text) <= width ? text : `${[...text].slice(0, width - 1).join('')}…`

/** Counts characters instead of UTF-16 code units, because some characters consist of two code units. */
const lengthOf = (text: string): number => [...text].length

/**
 * Returns the length of the longest cell. A list can have more cells than a function call can have arguments,
 * so `Math.max(...lengths)` would fail.
 */
const longestOf = (cells: string[]): number =>
  cells.reduce((longest, cell) => Math.max(longest, lengthOf(cell)), 0)

export function printLines({ stdout }: Stdout, lines: string[]): void {
  stdout.write(lines.map(line => `${line}\n`).join(''))
}

/** Prints a note to stderr, so that stdout contains only the result. */
export function note({ stderr }: Stderr, text: string): void {
  stderr.write(`${printable(text)}\n`)
}

/**
 * Returns a function that shows a text as the progress line on a terminal. Each call replaces the line. A call with an
 * empty text erases it.
 */
export function progressLine({ stderr }: Stderr): (text: string) => void {
  let shown = false
  return text => {
    if (!stderr.isTTY || (text === '' && !shown)) return
    stderr.write(`\r\x1b[K${text}`)
    shown = text !== ''
  }
}

/** Prints a secret that is shown only once. The secret is on a separate line, so that it is easy to copy. */
export function printSecret({ stdout, colors }: Painted, heading: string, secret: string): void {
  printLines({ stdout }, [heading, '', `  ${bold(secret, colors)}`, ''])
}

/** Wraps the text at spaces. A word is broken only if it is longer than a line. */
function folded(text: string, width: number): string[] {
  const lines: string[] = []
  let rest = text
  while (rest.length > width) {
    const space = rest.lastIndexOf(' ', width)
    const end = space > 0 ? space : width
    lines.push(rest.slice(0, end))
    rest = rest.slice(end).trimStart()
  }
  return [...lines, rest]
}

/** Formats cents as `Rp 100.000`. Decimals are shown only if they are not zero. */
export const rupiah = (cents: number): string =>
  new Intl.NumberFormat('id-ID', {
    style: 'currency',
    currency: 'IDR',
    minimumFractionDigits: 2,
    trailingZeroDisplay: 'stripIfInteger',
  })
    .format(cents / 100)
    .replace(/\s/, ' ')

/** Formats a time in the user's time zone, and adds the time zone's name. */
export const time = (timestamp: string): string =>
  new Intl.DateTimeFormat('en-GB', {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    timeZoneName: 'short',
  }).format(new Date(timestamp))

/**
 * Formats a time in the user's time zone in a short format that can be sorted as text. Returns an empty string
 * if there is no time.
 */
export function shortTime(timestamp: string | null): string {
  if (timestamp === null) return ''
  const at = new Date(timestamp)
  const two = (number: number) => String(number).padStart(2, '0')
  const day = [at.getFullYear(), two(at.getMonth() + 1), two(at.getDate())].join('-')
  return `${day} ${two(at.getHours())}:${two(at.getMinutes())}`
}

const bold = (text: string, colors: boolean): string => painted('bold', printable(text), colors)

/** Adds a style to the text. The caller decides whether the output may have colors. */
export const painted = (style: Parameters<typeof styleText>[0], text: string, colors: boolean): string =>
  colors ? styleText(style, text, { validateStream: false }) : text

/**
 * Removes control characters from a text that other people may have written. Otherwise, the text could control
 * the terminal or start a new line.
 */
export const printable = (text: string): string => stripVTControlCharacters(text).replace(/\p{Cc}+/gu, ' ')
