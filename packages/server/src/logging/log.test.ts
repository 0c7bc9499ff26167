import { expect, test, vi } from 'vitest'
import { testDatabase } from '../../test/support/database.ts'
import { createLog } from './log.ts'

const { db } = await testDatabase()

function lineOf(err: unknown): string {
  let line = ''
  const log = createLog('error')
  const [streamName] = Object.getOwnPropertySymbols(log).filter(
    ({ description }) => description === 'pino.stream',
  )
  const stream = (log as unknown as Record<symbol, { write(text: string): void }>)[streamName as symbol]
  const write = vi.spyOn(stream as { write(text: string): void }, 'write').mockImplementation(text => {
    line += text
  })
  log.error({ err }, 'failed')
  write.mockRestore()
  return line
}

test("if a database query fails, the log contains the query's SQL text but not its parameter values", async () => {
  const error = await db
    .raw('select 1 / (length(?) - length(?))', ['gp_reset_secret', 'gp_reset_secret'])
    .catch(e => e)
  const line = lineOf(error)
  expect(line).toContain('division by zero')
  expect(line).toContain('select 1 / (length(')
  expect(line).not.toContain('gp_reset_secret')
})

test('for an error and its causes, only the name, message, code and stack are logged', () => {
  const cause = Object.assign(new Error('inner'), { password: 'hunter2', code: 'E_INNER' })
  const error = Object.assign(new Error('outer', { cause }), {
    config: { headers: { authorization: 'Bearer secret' } },
  })
  const line = lineOf(error)
  expect(line).toContain('inner')
  expect(line).toContain('E_INNER')
  expect(line).not.toMatch(/hunter2|Bearer secret/)
})

test('the errors inside nested AggregateErrors are logged, too, but without properties such as a password', () => {
  const reason = Object.assign(new Error('550 user unknown'), { code: 'EENVELOPE', password: 'hunter2' })
  const mailing = new AggregateError([reason], 'notices could not be sent by mail')
  const line = lineOf(new AggregateError([mailing], 'notices could not be sent'))
  const { errors } = JSON.parse(line).err
  expect(errors[0].errors).toEqual([
    expect.objectContaining({ message: '550 user unknown', code: 'EENVELOPE' }),
  ])
  expect(line).not.toContain('hunter2')
})

test('a log line contains at most ten nested errors', () => {
  const many = () =>
    new AggregateError(
      Array.from({ length: 100 }, () => new Error('reason')),
      'all failed',
    )
  const { errors } = JSON.parse(lineOf(new AggregateError([many(), many()], 'failed'))).err
  // At most ten nested errors are logged. The first AggregateError is one of them, so only nine of its own
  // errors are logged.
  expect(errors[0].errors).toHaveLength(10)
  expect(errors[0].errors.at(-1)).toEqual({ message: '91 more' })
  expect(errors.slice(1)).toEqual([{ message: '1 more' }])
})
