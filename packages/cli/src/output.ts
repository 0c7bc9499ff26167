// What people read goes to fit their terminal; with --json, what programs read and nothing else.

import { stripVTControlCharacters, styleText } from 'node:util'
import type { Failure } from './failure.ts'

export type Facts = [label: string, value: string][]

export function printJson(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value, null, 2)}\n`)
}

/** A heading, then what the reader came for by itself, to be copied whole, then the facts as a table. */
export function printFacts(heading: string, callouts: Facts, facts: Facts): void {
  const lines = [
    heading,
    '',
    ...callouts.flatMap(([label, value]) => [`${label}:`, '', `  ${bold(value)}`, '']),
    ...table(facts, process.stdout.columns),
  ]
  process.stdout.write(`${lines.join('\n')}\n`)
}

/** One line, or one JSON text. */
export function printFailure(failure: Failure, json: boolean): void {
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
  process.stderr.write(`${text}\n`)
}

/** width: of the terminal; undefined where there is none, and nothing is to be folded. */
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

/** At spaces where there are some, else in the middle of a word. */
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

/** cents → `Rp 100.000`, with the sen only where there are some. */
export const rupiah = (cents: number): string =>
  new Intl.NumberFormat('id-ID', {
    style: 'currency',
    currency: 'IDR',
    minimumFractionDigits: 2,
    trailingZeroDisplay: 'stripIfInteger',
  })
    .format(cents / 100)
    .replace(/\s/, ' ')

/** In the reader's own time zone, which is named. */
export const time = (timestamp: string): string =>
  new Intl.DateTimeFormat('en-GB', {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    timeZoneName: 'short',
  }).format(new Date(timestamp))

const bold = (text: string): string => styleText('bold', printable(text))

/** Names, instructions and messages come from others: none may steer the terminal, or begin a line. */
const printable = (text: string): string => stripVTControlCharacters(text).replace(/\p{Cc}+/gu, ' ')
