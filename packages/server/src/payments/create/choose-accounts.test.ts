import { describe, expect, test } from 'vitest'
import { alwaysHealthy } from '../../../test/support/always-healthy.ts'
import { account, offering } from '../../../test/support/routing-data.ts'
import type { ExceededLimit } from '../../fairness/fair-slots.ts'
import {
  type AccountRequest,
  chooseAccounts,
  chooseAccountsAgain,
  pickAccount,
  pickFirstAccount,
} from './choose-accounts.ts'

const wallets = { e_wallet: ['ovo'] }
const providers = new Map([
  offering('north', wallets),
  offering('south', wallets, { mobileNumber: true }),
  offering('west', wallets, { maxAmount: 1_000n }),
  offering('east', wallets),
  offering('brief', wallets, { maxExpiryMinutes: 30 }),
])
const wanted: AccountRequest = {
  tenantId: 'a tenant',
  mode: 'live',
  methodType: 'e_wallet',
  channel: 'ovo',
  amount: 1_000n,
  expiryMinutes: null,
  customerPhone: '081234567890',
}

/**
 * Returns the IDs of the provider accounts that may charge the payment. `order` lists the providers by the
 * priority of the tenant's entitlements (its permissions to use their accounts).
 */
async function chosen(order: string[], overrides: Partial<AccountRequest> = {}): Promise<string[]> {
  const accounts = order.map((code, priority) => account(code, priority))
  const routesOf = async () => ({ accounts, rules: [] })
  const { candidates } = await chooseAccounts({ providers, routesOf }, { ...wanted, ...overrides })
  return candidates.map(({ accountId }) => accountId)
}

test('every other provider account that accepts the order without changes is a fallback for the first account', async () => {
  expect(await chosen(['north', 'south', 'west', 'east'])).toEqual(['north', 'south', 'west', 'east'])
})

test('an account is no fallback if the order lacks its required phone number or exceeds its maximum', async () => {
  const order = ['north', 'south', 'west', 'east']
  for (const customerPhone of ['', '0812', '0217654321'])
    expect(await chosen(order, { customerPhone })).toEqual(['north', 'west', 'east'])
  expect(await chosen(order, { amount: 1_100n })).toEqual(['north', 'south', 'east'])
})

test("an order that breaks its first provider account's rule is rejected, even with fallback accounts", async () => {
  const refused = (first: string, overrides: Partial<AccountRequest>) =>
    expect(chosen([first, 'east'], overrides)).rejects
  await refused('south', { customerPhone: '0812' }).toMatchObject({
    code: 'BAD_REQUEST',
    message: expect.stringMatching(/^bad request: customer_phone: SOUTH needs .+ for OVO$/),
  })
  await refused('west', { amount: 1_100n }).toMatchObject({
    code: 'BAD_REQUEST',
    message: expect.stringMatching(/^bad request: amount: WEST accepts at most 1000 cents for OVO$/),
  })
})

test('a payment that is charged again skips all accounts whose limits it exceeds, even the first account', async () => {
  const again = async (order: string[]) => {
    const accounts = order.map((code, priority) => account(code, priority))
    const app = { providers, routesOf: async () => ({ accounts, rules: [] }) }
    const candidates = await chooseAccountsAgain(app, { ...wanted, amount: 1_100n, expiryMinutes: 60 })
    return candidates?.map(({ accountId }) => accountId)
  }
  expect(await again(['west', 'north', 'brief', 'east'])).toEqual(['north', 'east'])
  expect(await again(['west', 'brief'])).toBeUndefined()
})

describe('a charge prefers accounts with a closed circuit breaker and skips accounts at their charge limits', () => {
  /**
   * Sets up three provider accounts and chooses one for a charge. The parameter `bounds` maps a provider to
   * the charge limit that is exceeded: one tenant's limit (`own`) or the limit of all tenants (`all`). `open`
   * lists the providers with open circuit breakers.
   */
  async function taking(bounds: Record<string, ExceededLimit>, open: string[] = []) {
    const order = ['north', 'south', 'east']
    const accounts = order.map((code, priority) => account(code, priority))
    const { candidates } = await chooseAccounts(
      { providers, routesOf: async () => ({ accounts, rules: [] }) },
      wanted,
    )
    const asked: string[] = []
    const health = {
      ...alwaysHealthy,
      exceededChargeLimit: ({ providerCode }: { providerCode: string }) => bounds[providerCode],
      // In these tests, each account's ID is its provider's name.
      isOpen: (accountId: string) => {
        asked.push(accountId)
        return open.includes(accountId)
      },
    }
    return { app: { health }, candidates, asked }
  }
  const codes = (taken: ReturnType<typeof pickAccount>) =>
    taken && [taken.account.provider.code, ...taken.others.map(({ provider }) => provider.code)]

  test.each<[bounds: Record<string, ExceededLimit>, open: string[], taken: string[], asked: string[]]>([
    [{}, [], ['north', 'south', 'east'], ['north']],
    [{}, ['north'], ['south', 'north', 'east'], ['north', 'south']],
    [{ north: 'own' }, [], ['south', 'north', 'east'], ['south']],
    [{ south: 'all' }, ['north'], ['east', 'north', 'south'], ['north', 'east']],
    [{ north: 'own' }, ['south', 'east'], ['south', 'north', 'east'], ['south', 'east']],
  ])(
    'with charge limits reached at the accounts %j and open circuit breakers at the accounts %j, the accounts are charged in the order %j',
    async (bounds, open, taken, asked) => {
      const given = await taking(bounds, open)
      expect(codes(pickAccount(given.app, 'a tenant', given.candidates))).toEqual(taken)
      expect(given.asked).toEqual(asked)
    },
  )

  test.each<[bounds: Record<string, ExceededLimit>, code: string]>([
    [{ north: 'all', south: 'own', east: 'all' }, 'RATE_LIMITED'],
    [{ north: 'all', south: 'all', east: 'all' }, 'SERVICE_UNAVAILABLE'],
  ])(
    'while the charge limits %j are used up, no provider account is charged, and the request fails with the error %s, which allows a retry',
    async (bounds, code) => {
      const { app, candidates, asked } = await taking(bounds)
      expect(pickAccount(app, 'a tenant', candidates)).toBe(undefined)
      expect(() => pickFirstAccount(app, 'a tenant', candidates)).toThrow(
        expect.objectContaining({
          code,
          retryAfterSeconds: 1,
          message: expect.stringContaining('was not processed'),
        }),
      )
      expect(asked).toEqual([])
    },
  )
})
