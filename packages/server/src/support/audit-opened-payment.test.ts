import { expect, onTestFinished, test, vi } from 'vitest'
import type { Db } from '../db/db.ts'
import { newId } from '../values/id.ts'
import { auditOpenedPayment } from './audit-opened-payment.ts'

test('the repeated requests of an open payment page share one audit log entry for ten minutes', async () => {
  // lru-cache remembers the time until a timer of one millisecond ends.
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  const clock = vi.spyOn(performance, 'now')
  onTestFinished(() => {
    vi.runAllTimers()
    vi.useRealTimers()
    clock.mockRestore()
  })
  const transaction = vi.fn(async () => {})
  const db = { transaction } as unknown as Db
  const supporter = { tenantId: newId(), userId: newId() }
  const payment = { tenantId: newId(), id: newId(), paymentCode: 'GP261120-7Q4M2ZK8XW' }
  const requestAt = async (minutes: number) => {
    vi.runAllTimers()
    clock.mockReturnValue(1 + minutes * 60_000)
    await auditOpenedPayment({ db }, supporter, payment)
  }
  await requestAt(0)
  await requestAt(9)
  expect(transaction).toHaveBeenCalledTimes(1)
  await requestAt(11)
  expect(transaction).toHaveBeenCalledTimes(2)
})
