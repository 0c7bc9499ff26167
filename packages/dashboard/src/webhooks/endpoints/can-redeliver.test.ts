import { expect, test } from 'vitest'
import { canRedeliver } from './can-redeliver.ts'

const now = Date.parse('2026-11-20T03:04:05Z')
const pending = (seconds: number) => ({
  status: 'pending',
  next_attempt_at: new Date(now + seconds * 1_000).toISOString(),
})

test('a user can repeat a delivery that is finished or whose next attempt is over 35 seconds away', () => {
  expect(canRedeliver({ status: 'delivered', next_attempt_at: null }, now)).toBe(true)
  expect(canRedeliver({ status: 'permanently_failed', next_attempt_at: null }, now)).toBe(true)
  expect(canRedeliver(pending(36), now)).toBe(true)
  expect(canRedeliver(pending(35), now)).toBe(false)
  expect(canRedeliver(pending(-1), now)).toBe(false)
})
