import { beforeEach, expect, test } from 'vitest'
import { type UnresponsiveAccountLimit, unresponsiveAccountLimit } from './unresponsive-account-limit.ts'

let nowMs: number
let charges: UnresponsiveAccountLimit
beforeEach(() => {
  nowMs = 5
  charges = unresponsiveAccountLimit(() => nowMs)
})
const limits = (...accounts: string[]) => accounts.map(each => charges.limitOf(each, 'tenant'))
const all = Number.POSITIVE_INFINITY

test("a charge that waits a second limits the tenant's charges at this account and at unused accounts", () => {
  charges.start('a', 'tenant')
  charges.start('a', 'tenant')
  nowMs += 999
  expect(limits('a', 'b')).toEqual([all, all])
  nowMs += 1
  expect(limits('a', 'b')).toEqual([64, 16])
  expect(charges.limitOf('a', 'another tenant')).toBe(all)
})

test("a tenant's charges in flight are limited at an unresponsive account, but not at another account that responds", () => {
  charges.start('a', 'tenant')
  nowMs += 1_000
  charges.start('b', 'tenant')
  charges.end('b', 'tenant', true)
  expect(limits('a', 'b', 'c')).toEqual([64, all, 16])
  nowMs += 999
  expect(limits('b')).toEqual([all])
  nowMs += 1
  expect(limits('b')).toEqual([16])
})

test("a tenant's charges are limited only if the account sent no response at all for a second", () => {
  for (let n = 0; n < 5; n++) charges.start('a', 'tenant')
  for (let n = 0; n < 4; n++) {
    nowMs += 900
    charges.end('a', 'tenant', true)
    expect(limits('a')).toEqual([all])
  }
  nowMs += 1_000
  expect(limits('a')).toEqual([64])
})

test('a provider account still counts as unresponsive after a charge that ended without a response', () => {
  charges.start('a', 'tenant')
  charges.start('a', 'tenant')
  nowMs += 1_000
  charges.end('a', 'tenant', false)
  expect(limits('a', 'b')).toEqual([64, 16])
})

test("the limit on a tenant's charges applies only while a charge has waited at least a second", () => {
  charges.start('a', 'tenant')
  charges.start('b', 'tenant')
  nowMs += 10_000
  charges.end('a', 'tenant', false)
  expect(limits('a', 'b')).toEqual([16, 64])
  charges.end('b', 'tenant', false)
  expect(limits('a', 'b')).toEqual([all, all])
  charges.start('a', 'tenant')
  nowMs += 999
  expect(limits('a', 'b')).toEqual([all, all])
})
