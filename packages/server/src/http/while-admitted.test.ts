import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Caller, StreamedLine } from '../api/context.ts'
import type { GatewayError } from '../faults/errors.ts'
import { fault } from '../faults/fault.ts'
import { whileAdmitted } from './while-admitted.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }))
afterEach(() => void vi.useRealTimers())

const operation = { access: 'api_key', scope: 'payments:read' } as const
const keyWith = (...scopes: string[]) =>
  ({ kind: 'api_key', isSessionKey: false, scopes }) as unknown as Caller

/**
 * Opens a streamed response and returns a function that writes a line to it. The parameter `again` is the
 * next access check: it returns the caller, or an error if access is denied.
 */
function opened(again: () => Caller | GatewayError) {
  const identifyAgain = vi.fn(async () => again())
  const written: StreamedLine[] = []
  const write = whileAdmitted(async line => void written.push(line), operation, { identifyAgain })
  return { write: () => write({ type: 'payment' }), written, identifyAgain }
}

test.each([
  ['is revoked', () => fault('api_key_invalid'), 'UNAUTHORIZED'],
  ['loses its scope', () => keyWith('refunds'), 'FORBIDDEN'],
])(
  'if an API key %s while a streamed response waits for its client, no further line of the response is written',
  async (_, again, code) => {
    const { write, written } = opened(again)
    await write()
    vi.advanceTimersByTime(1_000)
    await expect(write()).rejects.toMatchObject({ code })
    expect(written).toHaveLength(1)
  },
)

test("during a streamed response, the caller's access is checked at most once a second", async () => {
  const { write, written, identifyAgain } = opened(() => keyWith('payments:read'))
  for (let ms = 0; ms < 3_000; ms += 10) {
    await write()
    vi.advanceTimersByTime(10)
  }
  expect(written).toHaveLength(300)
  expect(identifyAgain).toHaveBeenCalledTimes(2)
})
