// Formats log lines for a person at a terminal. The library pino-pretty is not used, because it has sixteen
// dependencies and prints control characters received from clients and providers.

import { stripVTControlCharacters, styleText } from 'node:util'

const colors = {
  trace: 'gray',
  debug: 'gray',
  info: 'green',
  warn: 'yellow',
  error: 'red',
  fatal: 'red',
} as const

type LoggedError = {
  message: string
  code?: string
  stack?: string
  cause?: LoggedError
  errors?: LoggedError[]
}
type LogLine = { time: string; level: keyof typeof colors; msg?: string; err?: LoggedError }

/** The log messages about routine work that succeeded. A terminal shows them only at log level debug. */
const routine = new Set([
  'day reconciled',
  'ledger statement signed',
  'listening for configuration changes',
  'request',
])

/** Returns whether a terminal shows this JSON log line at the default log level. */
export function isNotable(json: string): boolean {
  const { level, msg = '', status = 0 } = JSON.parse(json) as LogLine & { status?: number }
  return level !== 'info' || status >= 400 || !routine.has(msg)
}

/**
 * Converts a log line from JSON to `10:04:05 INFO message name=value …` in local time. An error's stack traces
 * follow below the line.
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
    .concat((error.errors ?? []).flatMap(nested => linesOf(nested, 'nested error: ')))
}

/**
 * The maximum length of a value in a log line. Without it, a single signed ledger statement would fill half a
 * screen.
 */
const MAX_VALUE_LENGTH = 200

const shortened = (text: string): string =>
  text.length <= MAX_VALUE_LENGTH ? text : `${text.slice(0, MAX_VALUE_LENGTH)}…`

/** Removes control characters, because text from a provider or a client must not control the terminal. */
const printable = (text: string): string => stripVTControlCharacters(text).replace(/\p{Cc}+/gu, ' ')
