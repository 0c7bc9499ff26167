import { expect, test } from 'vitest'
import { type Channel, type Method, missingMethods, unavailableChannels } from './methods.ts'

const channel = (code: string, overrides: Partial<Channel> = {}): Channel => ({
  ...{ code, name: code.toUpperCase(), min_amount: null, max_amount: null, whole_rupiah: true },
  ...{ min_expiry_minutes: 1, max_expiry_minutes: 60, needs_mobile_number: false, is_available: true },
  ...overrides,
})
const banks = (...codes: string[]): Method => ({
  type: 'virtual_account',
  channels: codes.map(code => channel(code)),
})
const qris: Method = { type: 'qris', channels: [channel('qris')] }

const missing = (...given: Parameters<typeof missingMethods>) =>
  missingMethods(...given).map(({ type, channels }) => [type, channels.map(({ code }) => code)])

test('a channel counts as missing if it is active only in the other mode (live or test)', () => {
  expect(missing([banks('bca')], [banks('bca', 'bni'), qris])).toEqual([
    ['virtual_account', ['bni']],
    ['qris', ['qris']],
    ['e_wallet', []],
    ['over_the_counter', []],
  ])
})

test('a payment method is not missing if all its channels are active in the chosen mode', () => {
  expect(missing([banks('bca', 'bni'), qris], [banks('bca')])).toEqual([
    ['e_wallet', []],
    ['over_the_counter', []],
  ])
})

test('the payment methods page lists the unavailable channels of every payment method', () => {
  const methods: Method[] = [
    { type: 'virtual_account', channels: [channel('bca'), channel('bni', { is_available: false })] },
    { type: 'qris', channels: [channel('qris', { is_available: false })] },
  ]
  expect(unavailableChannels(methods).map(({ code }) => code)).toEqual(['bni', 'qris'])
})
