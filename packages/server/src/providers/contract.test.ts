// What the service relies on, whatever the provider. A new adapter is held to it by its line in the
// registry and the contract-data.ts in its folder.

import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { MAX_AMOUNT } from '../money.ts'
import { listedMethodTypes, type MethodDetail, methodData, methodTypes } from '../payments/method.ts'
import type { ContractData, SentRequest } from './contract-data.ts'
import { type Charge, type ProviderAccount, ProviderError } from './provider.ts'
import { providers } from './registry.ts'

const data = new Map(
  await Promise.all(
    [...providers.keys()].map(async code => {
      const module = (await import(`./${code}/contract-data.ts`)) as { contractData: ContractData }
      return [code, module.contractData] as const
    }),
  ),
)

/** The provider's side: keeps what it was sent, and answers as it is told to. */
let server: Server
let received: SentRequest[] = []
let answer: (request: SentRequest) => string | 'hang up' = () => ''
beforeAll(async () => {
  server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    const sent = { path: request.url ?? '', headers: request.headers as Record<string, string>, body }
    received.push(sent)
    const text = answer(sent)
    if (text === 'hang up') response.destroy()
    else response.end(text)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
})
afterAll(() => server.close())

function detailOf(type: (typeof methodTypes)[number], code: string): MethodDetail {
  switch (type) {
    case 'virtual_account':
      return { type, bank: code.toUpperCase() }
    case 'qris':
      return { type }
    case 'e_wallet':
      return { type, wallet_type: code.toUpperCase() }
    case 'over_the_counter':
      return { type, store: code.toUpperCase() }
  }
}

describe.each([...providers.values()])('$code', provider => {
  const contract = data.get(provider.code) as ContractData
  const account = (overrides: Partial<ProviderAccount<unknown>> = {}): ProviderAccount<unknown> => ({
    id: '01990000-0000-7000-8000-000000000001',
    mode: 'test',
    credentials: provider.credentials.parse(contract.credentials),
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    ...overrides,
  })
  const creatable = methodTypes.flatMap(type =>
    (provider.methods.find(method => method.type === type)?.channels ?? []).map(channel => ({
      type,
      channel,
    })),
  )
  const orderOf = (
    { type, channel }: (typeof creatable)[number],
    overrides: Partial<Charge> = {},
  ): Charge => ({
    reference: 'GP261120-7Q4M2ZK8XW',
    amount: 10_000_000n,
    channel: channel.code,
    methodDetail: detailOf(type, channel.code),
    customer: { name: 'Budi Santoso', email: 'budi@example.com', phone: '081234567890' },
    items: [],
    startedAt: new Date('2026-11-20T03:04:05.678Z'),
    expiryMinutes: 60,
    callbackUrl: 'https://pay.example.com/v1/callbacks/x/y',
    ...overrides,
  })
  const ordinary = orderOf(creatable[0] as (typeof creatable)[number])

  async function accepted(order: Charge): Promise<SentRequest> {
    received = []
    answer = contract.accept
    await provider.charge(account(), order)
    return received.at(-1) as SentRequest
  }
  const paidCallback = async (order = ordinary) => contract.paid(await accepted(order), contract.credentials)

  test('is registered under its code, a word in lower case', () => {
    expect(provider.code).toMatch(/^[a-z][a-z0-9_]*$/)
    expect(providers.get(provider.code)).toBe(provider)
    expect(provider.name).not.toBe('')
  })

  test('lists each method once, and its channels once, by lower-case codes', () => {
    const types = provider.methods.map(method => method.type)
    expect(new Set(types).size).toBe(types.length)
    for (const { type, channels } of provider.methods) {
      expect(listedMethodTypes).toContain(type)
      const codes = channels.map(channel => channel.code)
      expect(new Set(codes).size).toBe(codes.length)
      for (const { code, name } of channels) {
        expect(code).toMatch(/^[a-z0-9][a-z0-9_]{0,63}$/)
        expect(name).not.toBe('')
      }
      if (type === 'qris') expect(codes).toEqual(['qris'])
    }
  })

  test('has limits that some payment can meet', () => {
    for (const { limits } of provider.methods.flatMap(method => method.channels)) {
      expect(limits.minExpiryMinutes).toBeGreaterThanOrEqual(1)
      expect(limits.maxExpiryMinutes).toBeGreaterThanOrEqual(Math.max(2, limits.minExpiryMinutes))
      expect(limits.minAmount ?? 1n).toBeGreaterThanOrEqual(1n)
      expect(limits.maxAmount ?? MAX_AMOUNT).toBeGreaterThanOrEqual(limits.minAmount ?? 1n)
    }
  })

  test('takes its credentials whole or not at all', () => {
    expect(provider.credentials.safeParse(contract.credentials).success).toBe(true)
    expect(provider.credentials.safeParse({}).success).toBe(false)
    for (const field of Object.keys(contract.credentials))
      for (const empty of ['', undefined, null, 7])
        expect(provider.credentials.safeParse({ ...contract.credentials, [field]: empty }).success).toBe(
          false,
        )
  })

  test.each(creatable)(
    'charges $channel.code of $type with our reference and tells how to pay',
    async choice => {
      received = []
      answer = contract.accept
      const taken = await provider.charge(account(), orderOf(choice))
      expect(received).toHaveLength(1)
      expect(received[0]?.body).toContain('GP261120-7Q4M2ZK8XW')
      expect(taken.providerPaymentId).not.toBe('')
      expect(methodData.parse(taken.methodData)).toEqual(taken.methodData)
      expect(taken.methodData).toMatchObject(
        choice.type === 'over_the_counter'
          ? { type: choice.type }
          : detailOf(choice.type, choice.channel.code),
      )
    },
  )

  // Hypothesis: the amount is one that the channel takes.
  test('brings an amount through charge and callback without losing a cent', async () => {
    const orders = fc.constantFrom(...creatable).chain(choice => {
      const { wholeRupiah, minAmount = 1n, maxAmount = MAX_AMOUNT } = choice.channel.limits
      const unit = wholeRupiah ? 100n : 1n
      return fc
        .bigInt({ min: (minAmount + unit - 1n) / unit, max: maxAmount / unit })
        .map(units => orderOf(choice, { amount: units * unit }))
    })
    await fc.assert(
      fc.asyncProperty(orders, async order => {
        const reading = provider.readCallback(account(), await paidCallback(order))
        expect(reading).toMatchObject({
          verified: true,
          reports: [{ reference: order.reference, fact: { type: 'paid', amountPaid: order.amount } }],
        })
      }),
    )
  })

  test('reads the same bytes the same each time, and leaves them as they are', async () => {
    const callback = await paidCallback()
    const copy = structuredClone(callback.body)
    const once = provider.readCallback(account(), callback)
    expect(provider.readCallback(Object.freeze(account()), callback)).toEqual(once)
    expect(callback.body.equals(copy)).toBe(true)
  })

  test('believes no callback of which one signed byte is another', async () => {
    const callback = await paidCallback()
    const { body: ranges, headers } = contract.signed(callback)
    const places = [
      ...ranges.flatMap(({ start, end }) =>
        Array.from({ length: end - start }, (_, i) => ({ in: 'body', at: start + i })),
      ),
      ...headers.flatMap(name => Array.from(callback.headers[name] as string, (_, at) => ({ in: name, at }))),
    ]
    const changed = ({ in: where, at }: (typeof places)[number], mask: number) => {
      const bytes = Buffer.from(where === 'body' ? callback.body : (callback.headers[where] as string))
      bytes.writeUInt8(bytes.readUInt8(at) ^ mask, at)
      return where === 'body'
        ? { ...callback, body: bytes }
        : { ...callback, headers: { ...callback.headers, [where]: bytes.toString('latin1') } }
    }
    expect(provider.readCallback(account(), callback).verified).toBe(true)
    fc.assert(
      fc.property(fc.constantFrom(...places), fc.integer({ min: 1, max: 255 }), (place, mask) => {
        expect(provider.readCallback(account(), changed(place, mask)).verified).toBe(false)
      }),
      { numRuns: 2_000 },
    )
  })

  test("believes no callback that was signed with another account's credentials", async () => {
    const callback = contract.paid(await accepted(ordinary), contract.otherCredentials)
    expect(provider.readCallback(account(), callback)).toMatchObject({ verified: false })
  })

  // Hypothesis: the callback is JSON, and some of its fields are not signed.
  test('passes on no text that the database cannot hold, whatever is written where nothing is signed', async () => {
    const callback = await paidCallback()
    const message = JSON.parse(callback.body.toString()) as Record<string, unknown>
    const field = fc.constantFrom(...Object.keys(message))
    const text = fc.constantFrom('a\0b', '\ud83d', '\ude00a', 'a\nb')
    fc.assert(
      fc.property(field, text, (name, value) => {
        const body = Buffer.from(JSON.stringify({ ...message, [name]: value }))
        const reading = provider.readCallback(account(), { ...callback, body })
        const said = reading.verified
          ? reading.reports.flatMap(each => [...Object.values(each), ...Object.values(each.fact)])
          : []
        const texts = said.filter(each => typeof each === 'string')
        expect(texts.filter(each => each.includes('\0') || !each.isWellFormed())).toEqual([])
      }),
      { numRuns: 500 },
    )
  })

  test('reads anything at all without failing, and believes none of it', () => {
    const anything = fc.oneof(
      fc.uint8Array().map(bytes => Buffer.from(bytes)),
      fc.json().map(text => Buffer.from(text)),
    )
    fc.assert(
      fc.property(anything, fc.dictionary(fc.string(), fc.string()), (body, headers) => {
        expect(provider.readCallback(account(), { headers, body }).verified).toBe(false)
      }),
    )
  })

  describe.each([
    ['charge', (on: ProviderAccount<unknown>) => provider.charge(on, ordinary)],
    [
      'inquiry',
      (on: ProviderAccount<unknown>) =>
        provider.inquire(on, { reference: ordinary.reference, providerPaymentId: null, methodDetail: null }),
    ],
  ] as const)('a failed %s', (_, ask) => {
    async function faultOf(on: ProviderAccount<unknown>): Promise<ProviderError> {
      const fault = await ask(on).then(
        () => undefined,
        error => error,
      )
      expect(fault).toBeInstanceOf(ProviderError)
      for (const secret of Object.values(contract.credentials)) expect(fault.message).not.toContain(secret)
      return fault as ProviderError
    }

    test('is unavailable where nobody listens, since nothing was sent', async () => {
      const closed = createServer()
      await new Promise<void>(resolve => closed.listen(0, '127.0.0.1', resolve))
      const { port } = closed.address() as AddressInfo
      await new Promise(resolve => closed.close(resolve))
      expect((await faultOf(account({ baseUrl: `http://127.0.0.1:${port}` }))).kind).toBe('unavailable')
    })

    test('is of unknown outcome where the connection breaks after the request was taken', async () => {
      answer = () => 'hang up'
      expect((await faultOf(account())).kind).toBe('unknown')
    })

    test.each(['', '<html>oops</html>', 'null', '[]', '{}', '"paid"'])(
      'is of unknown outcome where the answer says nothing: %j',
      async text => {
        answer = () => text
        expect((await faultOf(account())).kind).toBe('unknown')
      },
    )
  })
})
