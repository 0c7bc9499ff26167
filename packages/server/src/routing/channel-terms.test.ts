import { expect, test } from 'vitest'
import { account, offering, rule } from '../../test/support/routing-data.ts'
import { channelTerms } from './channel-terms.ts'
import type { Routes } from './route.ts'

const bank = (code: string, limits: Parameters<typeof offering>[2]) =>
  offering(code, { virtual_account: ['bca'] }, limits)
const providers = new Map([
  bank('north', { minAmount: 1_000_000n, maxAmount: 5_000_000_000n, maxExpiryMinutes: 1_440 }),
  bank('south', { minAmount: 2_000_000n, minExpiryMinutes: 5 }),
  offering(
    'west',
    { qris: ['qris'], e_wallet: ['ovo'], cardless_credit: ['akulaku'] },
    { mobileNumber: true },
  ),
])
const accounts = [account('north', 1), account('south', 2), account('west', 3)]

const terms = (routes: Partial<Routes> = {}, unavailable: string[] = []) =>
  channelTerms(providers, { accounts, rules: [], ...routes }, 'live', id => unavailable.includes(id))
const bca = (...given: Parameters<typeof terms>) => terms(...given)[0]?.channels[0]

test('the channel list contains each channel once, in the order of the payment methods, and omits cardless credit', () => {
  expect(terms().map(({ type, channels }) => [type, channels.map(({ code }) => code)])).toEqual([
    ['virtual_account', ['bca']],
    ['qris', ['qris']],
    ['e_wallet', ['ovo']],
  ])
})

test('a channel of a test-mode provider account is not available to live payments', () => {
  expect(terms({ accounts: accounts.map(each => ({ ...each, mode: 'test' as const })) })).toEqual([])
})

test("without routing rules, a channel's limits are those of the account with the highest priority", () => {
  expect(bca()).toEqual({
    ...{ code: 'bca', name: 'BCA', minAmount: 1_000_000n, maxAmount: 5_000_000_000n, wholeRupiah: true },
    ...{ minExpiryMinutes: 1, maxExpiryMinutes: 1_440, needsMobileNumber: false, isAvailable: true },
  })
})

test('a channel has no minimum or maximum amount if its provider account does not limit the amount', () => {
  expect(bca({ accounts: [account('south', 1)] })).toMatchObject({ minAmount: 2_000_000n, maxAmount: null })
  expect(terms()[1]?.channels[0]).toMatchObject({ minAmount: null, maxAmount: null, needsMobileNumber: true })
})

test("a channel's limits allow only amounts and expiry times that both possible accounts accept", () => {
  const rules = [rule('north'), rule('south')]
  expect(bca({ rules })).toMatchObject({ minAmount: 2_000_000n, maxAmount: 5_000_000_000n })
  expect(bca({ rules })).toMatchObject({ minExpiryMinutes: 5, maxExpiryMinutes: 60 })
})

test("a routing rule that sends larger amounts to a second account raises the channel's maximum amount", () => {
  const rules = [rule('south', { minAmount: 4_000_000_000n })]
  expect(bca({ rules })).toMatchObject({ minAmount: 1_000_000n, maxAmount: null })
})

test("a channel's limits exclude amounts for which a routing rule selects an account that would reject them", () => {
  const rules = [rule('south', { maxAmount: 1_500_000n }), rule('north', { minAmount: 1_500_001n })]
  expect(bca({ rules })).toMatchObject({ minAmount: 1_500_001n, maxAmount: 5_000_000_000n })
})

test('a channel is unavailable only if all accounts that offer it are unavailable', () => {
  expect(bca({}, ['north'])?.isAvailable).toBe(true)
  expect(bca({}, ['north', 'south'])?.isAvailable).toBe(false)
})
