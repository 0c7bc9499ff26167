// Tests that each adapter names the right purpose, such as charge or inquiry, for every request. Charges and
// inquiries have separate connection pools, so a charge without a response never blocks an inquiry.

import { describe, expect, test, vi } from 'vitest'
import { detailOf } from '../../test/support/adapter-with-sandbox.ts'
import { methodTypes } from '../payments/method.ts'
import { newId } from '../values/id.ts'
import type { ContractData } from './contract-data.ts'
import type { RequestProvider } from './http-client.ts'
import type { AnyProvider, Inquiry, ProviderAccount } from './provider.ts'
import { providers } from './registry.ts'

const requestProvider = vi.hoisted(() => vi.fn<RequestProvider>())
vi.mock('./http-client.ts', async original => ({ ...(await original<object>()), requestProvider }))

describe.each([...providers.values()])(
  'every request to the provider $code uses the connection pool for its purpose, a charge or an inquiry',
  provider => {
    test('charges and inquiries use separate connection pools, also for their token requests', async () => {
      requestProvider.mockImplementation(async (_, url) =>
        url.endsWith('/b2b')
          ? { status: 200, json: { accessToken: 'token', expiresIn: 900 } }
          : // HTTP 401 makes a SNAP adapter request a new token and repeat the request.
            { status: 401, json: { responseCode: '4010001' } },
      )
      const purposesOf = async (ask: (account: ProviderAccount<unknown>) => Promise<unknown>) => {
        requestProvider.mockClear()
        await ask(await accountAt(provider)).catch(() => {})
        return new Set(requestProvider.mock.calls.map(([purpose]) => purpose))
      }
      for (const inquiry of inquiriesOf(provider)) {
        const order = { ...inquiry, ...payer }
        expect({
          channel: inquiry.channel,
          charge: await purposesOf(account => provider.charge(account, order)),
          inquiry: await purposesOf(account => provider.inquire(account, inquiry)),
          unheard: await purposesOf(account =>
            provider.inquire(account, { ...inquiry, providerPaymentId: null }),
          ),
        }).toEqual({
          channel: inquiry.channel,
          charge: new Set(['charge']),
          inquiry: new Set(['inquiry']),
          unheard: new Set(['inquiry']),
        })
      }
    })
  },
)

const payer = {
  customer: { name: 'Budi Santoso', email: 'budi@example.com', phone: '081234567890' },
  items: [],
  expiryMinutes: 30,
  callbackUrl: 'https://pay.example.com/v1/callbacks/any/1',
  returnUrl: 'https://shop.example.com/orders/1001',
}

/** Returns the input for one status inquiry per channel of the provider. */
function inquiriesOf({ methods }: AnyProvider): Inquiry[] {
  return methodTypes.flatMap(type =>
    (methods.find(method => method.type === type)?.channels ?? []).map(({ code }) => ({
      reference: 'GP261120-7Q4M2ZK8XW',
      amount: 5_000_000n,
      channel: code,
      methodDetail: detailOf(type, code),
      startedAt: new Date(),
      providerPaymentId: 'id-1',
      methodData: null,
    })),
  )
}

/** Returns an account with a new ID, for which the adapter has not cached an access token yet. */
async function accountAt({ code }: AnyProvider) {
  const { contractData } = (await import(`./${code}/contract-data.ts`)) as {
    contractData: ContractData
  }
  const credentials = { ...contractData.credentials(), callback_token: 'token', provider_public_key: 'key' }
  return { id: newId(), mode: 'test' as const, baseUrl: 'http://127.0.0.1:9', credentials }
}
