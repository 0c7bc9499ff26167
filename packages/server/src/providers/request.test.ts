import type { ServerResponse } from 'node:http'
import { describe, expect, test, vi } from 'vitest'
import { answeringServer } from '../../test/support/answering-server.ts'
import { detailOf } from '../../test/support/provider-bench.ts'
import { newId } from '../id.ts'
import { methodTypes } from '../payments/method.ts'
import type { ContractData } from './contract-data.ts'
import type { AnyProvider, Inquiry, ProviderAccount } from './provider.ts'
import { providers } from './registry.ts'
import { type Purpose, providerRequests, type RequestProvider } from './request.ts'

const requestProvider = vi.hoisted(() => vi.fn<RequestProvider>())
vi.mock('./request.ts', async original => ({ ...(await original<object>()), requestProvider }))

const server = await answeringServer()

test.each<[hanging: Purpose, other: Purpose, title: string]>([
  ['charge', 'inquiry', 'while all connections of charges hang, inquiries are answered, by POST and by GET'],
  ['inquiry', 'charge', 'while all connections of inquiries hang, charges are answered, by POST and by GET'],
])('%3$s', async (hanging, other) => {
  const held: ServerResponse[] = []
  server.answers((response, { url }) => (url === '/hangs' ? held.push(response) : response.end('{"well":1}')))
  const request = providerRequests({ charge: 2, inquiry: 2 })
  const waiting = Array.from({ length: 4 }, () => request(hanging, `${server.url}/hangs`, {}, '{}'))
  await vi.waitFor(() => expect(held).toHaveLength(2))

  const well = { status: 200, json: { well: 1 } }
  expect(await request(other, server.url, {}, '{}')).toEqual(well)
  expect(await request(other, server.url, {})).toEqual(well)
  expect(server.received.map(({ method }) => method)).toEqual(['POST', 'POST', 'POST', 'GET'])

  // The two that hang were all that there was room for.
  expect(held).toHaveLength(2)
  server.answers(response => response.end())
  for (const response of held) response.end()
  await Promise.all(waiting)
})

describe.each([...providers.values()])('every request of $code', provider => {
  test('is made for what it was asked: a charge or an inquiry, tokens included', async () => {
    requestProvider.mockImplementation(async (_, url) =>
      url.endsWith('/b2b')
        ? { status: 200, json: { accessToken: 'token', expiresIn: 900 } }
        : // A token of SNAP that is refused is asked for again.
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
})

const payer = {
  customer: { name: 'Budi Santoso', email: 'budi@example.com', phone: '081234567890' },
  items: [],
  expiryMinutes: 30,
  callbackUrl: 'https://pay.example.com/v1/callbacks/any/1',
}

/** About one payment of each channel. */
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

/** Another one each time, so that it has no token yet. */
async function accountAt({ code }: AnyProvider) {
  const { contractData } = (await import(`./${code}/contract-data.ts`)) as { contractData: ContractData }
  const credentials = { ...contractData.credentials(), callback_token: 'token', provider_public_key: 'key' }
  return { id: newId(), mode: 'test' as const, baseUrl: server.url, credentials }
}
