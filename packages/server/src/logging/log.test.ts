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
