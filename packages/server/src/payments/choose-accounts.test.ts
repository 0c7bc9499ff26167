import { expect, test } from 'vitest'
import { account, offering } from '../../test/support/routes.ts'
import { chooseAccounts, type Wanted } from './choose-accounts.ts'

const wallets = { e_wallet: ['ovo'] }
const providers = new Map([
  offering('north', wallets),
  offering('south', wallets, { mobileNumber: true }),
  offering('west', wallets, { maxAmount: 1_000n }),
  offering('east', wallets),
])
const wanted: Wanted = {
  tenantId: 'a tenant',
  mode: 'live',
  methodType: 'e_wallet',
  channel: 'ovo',
  amount: 1_000n,
  expiryMinutes: null,
  customerPhone: '081234567890',
}

/** The candidates' account ids, if the entitlements list the providers in this order. */
async function chosen(order: string[], overrides: Partial<Wanted> = {}): Promise<string[]> {
  const accounts = order.map((code, priority) => account(code, priority))
  const routesOf = async () => ({ accounts, rules: [] })
  const { candidates } = await chooseAccounts({ providers, routesOf }, { ...wanted, ...overrides })
  return candidates.map(({ accountId }) => accountId)
}

test('all that take the payment as it is stand in for the first', async () => {
  expect(await chosen(['north', 'south', 'west', 'east'])).toEqual(['north', 'south', 'west', 'east'])
})

test('one that needs the mobile number, or takes less, is passed over for the one behind it', async () => {
  const order = ['north', 'south', 'west', 'east']
  for (const customerPhone of ['', '0812', '0217654321'])
    expect(await chosen(order, { customerPhone })).toEqual(['north', 'west', 'east'])
  expect(await chosen(order, { amount: 1_100n })).toEqual(['north', 'south', 'east'])
})

test('what the first does not take is a bad request that names the field and the provider, whoever is behind it', async () => {
  const refused = (first: string, overrides: Partial<Wanted>) =>
    expect(chosen([first, 'east'], overrides)).rejects
  await refused('south', { customerPhone: '0812' }).toMatchObject({
    code: 'BAD_REQUEST',
    message: expect.stringMatching(/^bad request: customer_phone: SOUTH needs .+ for OVO$/),
  })
  await refused('west', { amount: 1_100n }).toMatchObject({
    code: 'BAD_REQUEST',
    message: expect.stringMatching(/^bad request: amount: WEST takes at most 1000 cents for OVO$/),
  })
})
