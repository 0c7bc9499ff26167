// Formats log lines for a person at a terminal. All other logs are JSON for programs. pino-pretty would add sixteen
// packages to the service and print control characters that come from clients and providers.

import { stripVTControlCharacters, styleText } from 'node:util'

const colors = {
  trace: 'gray',
  debug: 'gray',
  info: 'green',
  warn: 'yellow',
  error: 'red',
  fatal: 'red',
} as const

type LoggedError = { message: string; code?: string; stack?: string; cause?: LoggedError }
type LogLine = { time: string; level: keyof typeof colors; msg?: string; err?: LoggedError }

/** Messages about work that succeeds again and again. A terminal shows them only at the level debug. */
const routine = new Set([
  'day reconciled',
  'ledger statement signed',
  'listening for configuration changes',
  'request',
])

/** Returns whether a person should see this log line, in JSON, without having asked for details. */
export function isNotable(json: string): boolean {
  const { level, msg = '', status = 0 } = JSON.parse(json) as LogLine & { status?: number }
  return level !== 'info' || status >= 400 || !routine.has(msg)
}

/**
 * Converts a log line from JSON to `10:04:05 INFO  message name=value …` in local time. The stack traces of an error
 * follow below it.
 */
export function prettyLine(json: string): string {
  const { time, level, msg = '', err, ...fields } = JSON.parse(json) as LogLine
  const values = Object.entries(fields).map(
    ([name, value]) => `${name}=${shortened(typeof value === 'string' ? value : JSON.stringify(value))}`,
  )
  const head = [
    styleText('gray', new Date(time).toLocaleTimeString('en-GB')),
    styleText(colors[level], level.toUpperCase().padEnd(5)),
    printable(msg),
    ...values.map(value => styleText('gray', printable(value))),
  ]
  return `${[head.join(' '), ...linesOf(err)].join('\n')}\n`
}

function linesOf(error: LoggedError | undefined, prefix = ''): string[] {
  if (!error) return []
  const code = error.code === undefined ? '' : ` (${error.code})`
  const [first, ...rest] = `${prefix}${error.stack ?? error.message}`.split('\n')
  return [`${first}${code}`, ...rest]
    .map(line => `    ${printable(line)}`)
    .concat(linesOf(error.cause, 'caused by '))
}

/** The length to which values are truncated: a signed statement alone would fill half of a screen. */
const MAX_VALUE_LENGTH = 200

const shortened = (text: string): string =>
  text.length <= MAX_VALUE_LENGTH ? text : `${text.slice(0, MAX_VALUE_LENGTH)}…`

/** Removes control characters, because text from a provider or a client must not control the terminal. */
const printable = (text: string): string => stripVTControlCharacters(text).replace(/\p{Cc}+/gu, ' ')
