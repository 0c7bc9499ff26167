import { stripVTControlCharacters } from 'node:util'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { logOptions } from './log.ts'
import { isNotable, prettyLine } from './pretty-line.ts'

/** Logs with the service's options and returns the text a terminal would show, without colors. */
function shown(write: (log: pino.Logger) => void): string {
  const lines: string[] = []
  write(pino(logOptions('debug'), { write: line => void lines.push(prettyLine(line)) }))
  return stripVTControlCharacters(lines.join(''))
}

test("a log line in the terminal has the time, the level, the message and the entry's fields", () => {
  expect(shown(log => log.info({ method: 'POST', status: 201, sources: ['a'] }, 'request'))).toMatch(
    /^\d\d:\d\d:\d\d INFO {2}request method=POST status=201 sources=\["a"\]\n$/,
  )
})

test('the nested errors of an error are shown in the terminal', () => {
  const text = shown(log =>
    log.error({ err: new AggregateError([new Error('550 user unknown')], 'outer') }, 'failed'),
  )
  expect(text).toContain('    nested error: Error: 550 user unknown\n')
})

test('an error in a log line in the terminal is shown with its code, its stack and its causes', () => {
  const cause = Object.assign(new Error('inner'), { code: 'E_INNER' })
  const text = shown(log => log.warn({ err: new Error('outer', { cause }) }, 'job failed'))
  expect(text).toMatch(/^\S+ WARN {2}job failed\n {4}Error: outer\n {8}at /)
  expect(text).toMatch(/\n {4}caused by Error: inner \(E_INNER\)\n {8}at /)
  expect(shown(log => log.error({ err: 'no error object' }, 'failed'))).toMatch(
    /failed\n {4}no error object\n$/,
  )
})

test('a long value in a log line in the terminal is truncated', () => {
  expect(shown(log => log.info({ statement: 'x'.repeat(1_000) }, 'signed'))).toMatch(/ statement=x{200}…\n$/)
})

test('client or provider text in a log line cannot control the terminal or start a line', () => {
  const hostile = 'paid\x1b[2J\x9b31m\r\n00:00:00 INFO forged'
  const text = shown(log => log.warn({ reason: hostile, err: { message: hostile } }, hostile))
  expect(text).not.toMatch(/[^\P{Cc}\n]/u)
  expect(text.split('\n').filter(line => line.startsWith('00:00:00'))).toEqual([])
})

test.each<[object, string, boolean]>([
  [{ method: 'GET', status: 200 }, 'request', false],
  [{ method: 'GET', status: 302 }, 'request', false],
  [{ method: 'GET', status: 404 }, 'request', true],
  [{ method: 'GET', status: 500 }, 'request', true],
  [{ statement: 'x'.repeat(800) }, 'ledger statement signed', false],
  [{ differences: 0 }, 'day reconciled', false],
  [{}, 'listening for configuration changes', false],
  [{ signal: 'SIGTERM' }, 'shutting down; requests and jobs in flight finish first', true],
])(
  'at the level info, a terminal shows a log line with the fields %j and the message %j: %s',
  (fields, message, notable) => {
    const lines: string[] = []
    const log = pino(logOptions('info'), { write: line => void lines.push(line) })
    log.info(fields, message)
    log.warn(fields, message)
    expect(lines.map(isNotable)).toEqual([notable, true])
  },
)
