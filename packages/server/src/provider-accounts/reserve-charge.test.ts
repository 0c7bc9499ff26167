import { Registry } from 'prom-client'
import { expect, test } from 'vitest'
import { createLog } from '../logging/log.ts'
import { providerHealth } from './provider-health.ts'

test('a reserved charge slot counts as used until its release or the end of its charge', async () => {
  const health = providerHealth({
    accountOf: async () => undefined,
    clock: () => new Date(),
    log: createLog('silent'),
    registry: new Registry(),
  })
  const account = { accountId: 'account-1', providerCode: 'north', tenantId: 'tenant-1' }
  const reserve = () => health.reserveCharge(account, account.tenantId)
  const slots = [...Array(256)].map(reserve)
  expect([slots.includes(undefined), reserve()]).toEqual([false, undefined])
  expect(health.exceededChargeLimit(account, account.tenantId)).toBe('own')

  slots[0]?.release()
  slots[0]?.release()
  const slot = reserve()
  expect([slot === undefined, reserve()]).toEqual([false, undefined])

  const gate = Promise.withResolvers<void>()
  const charged = health.monitor({ ...account, slot }, 'charge', () => gate.promise)
  slot?.release()
  expect(reserve()).toBe(undefined)
  gate.resolve()
  await charged
  slot?.release()
  expect([reserve() === undefined, reserve()]).toEqual([false, undefined])
})
