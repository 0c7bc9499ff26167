// Tests each provider adapter's guarantees against its provider's sandbox. The sandbox was written from the
// provider's documentation and shares no code with the adapter.

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { beforeAll, describe, expect, test } from 'vitest'
import {
  type AdapterWithSandbox,
  adapterWithSandbox,
  callbackReceiver,
  faultOf,
} from '../../test/support/adapter-with-sandbox.ts'
import { startSandbox } from '../../test/support/sandbox.ts'
import { listedMethodTypes, methodData, storeNameOf, viewMethodData } from '../payments/method.ts'
import { credentialsSchema } from '../provider-accounts/credentials.ts'
import { MAX_AMOUNT } from '../values/money.ts'
import { ProviderError, type ProviderErrorKind, QRIS_MAX_AMOUNT } from './provider.ts'
import { providers } from './registry.ts'

const benches = new Map<string, AdapterWithSandbox>()
beforeAll(async () => {
  const sandboxUrl = await startSandbox()
  const receiver = await callbackReceiver()
  for (const provider of providers.values())
    benches.set(provider.code, await adapterWithSandbox(provider, sandboxUrl, receiver))
})
const benchOf = (code: string) => benches.get(code) as AdapterWithSandbox

describe.each([...providers.values()])(
  'the adapter of the provider $code describes its payment methods and sends charges as every adapter must',
  provider => {
    test("each provider's adapter is registered under its code, which is one lowercase word", () => {
      expect(provider.code).toMatch(/^[a-z][a-z0-9_]*$/)
      expect(providers.get(provider.code)).toBe(provider)
      expect(provider.name).not.toBe('')
    })

    test("each adapter lists each payment method once, and each of the method's channels once, with lowercase codes", () => {
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

    test('a payment at a store shows the name of its channel', () => {
      const stores = provider.methods.filter(({ type }) => type === 'over_the_counter')
      for (const { code, name } of stores.flatMap(({ channels }) => channels))
        expect(storeNameOf(code)).toBe(name)
    })

    test("each channel's limits are whole rupiah, and no minimum exceeds its maximum", () => {
      for (const { limits } of provider.methods.flatMap(method => method.channels)) {
        expect(limits.wholeRupiah).toBe(true)
        expect(limits.minExpiryMinutes).toBeGreaterThanOrEqual(1)
        expect(limits.maxExpiryMinutes).toBeGreaterThanOrEqual(Math.max(2, limits.minExpiryMinutes))
        expect(limits.minAmount ?? 1n).toBeGreaterThanOrEqual(1n)
        expect(limits.maxAmount ?? MAX_AMOUNT).toBeGreaterThanOrEqual(limits.minAmount ?? 1n)
      }
    })

    test('no adapter accepts a QRIS payment above the legal maximum amount', () => {
      const qris = provider.methods.filter(({ type }) => type === 'qris').flatMap(({ channels }) => channels)
      for (const { limits } of qris) expect(limits.maxAmount).toBeLessThanOrEqual(QRIS_MAX_AMOUNT)
    })

    test('an adapter rejects credentials with a missing required field, or an empty or mistyped field', () => {
      const whole = benchOf(provider.code).account.credentials as Record<string, string>
      expect(provider.credentials.safeParse(whole).success).toBe(true)
      expect(provider.credentials.safeParse({}).success).toBe(false)
      const { required } = credentialsSchema(provider)
      for (const field of Object.keys(whole))
        for (const empty of ['', null, 7, ...(required.includes(field) ? [undefined] : [])])
          expect([
            field,
            empty,
            provider.credentials.safeParse({ ...whole, [field]: empty }).success,
          ]).toEqual([field, empty, false])
      const needed = Object.fromEntries(required.map(field => [field, whole[field]]))
      expect(provider.credentials.safeParse(needed).success).toBe(true)
    })

    test('a charge through any channel creates an order with our reference, amount and expiry at the provider', async () => {
      const bench = benchOf(provider.code)
      await Promise.all(
        bench.choices.map(async choice => {
          const order = bench.order(choice)
          const taken = await bench.charge(order)
          expect(taken.providerPaymentId).not.toBe('')
          const shown = viewMethodData(order.methodDetail, taken.methodData)
          expect(methodData.parse(shown)).toEqual(shown)
          expect(shown).toMatchObject(order.methodDetail)
          // Only an OVO charge may return no payment instructions, because OVO notifies the payer in the OVO
          // app.
          const told = Object.values({ ...shown, type: '' }).join('')
          if (choice.channel.code !== 'ovo')
            expect([choice.channel.code, told.length > 7]).toEqual([choice.channel.code, true])
          const [recorded, ...others] = await bench.recorded(order.reference)
          expect(others).toEqual([])
          expect(recorded).toMatchObject({
            reference: bench.contract.sentReference?.(order.reference) ?? order.reference,
            status: 'pending',
            asked_cents: Number(order.amount),
          })
          // Compares the expiry times as points in time, because providers use different time zones. If the provider
          // sets the order's lifetime, this lifetime is expected, and the order may expire later than the payment.
          const wanted = order.startedAt.getTime() + order.expiryMinutes * 60_000
          const expires = Date.parse(recorded?.expires_at ?? '')
          const ownLife = bench.contract.ownLifeMinutes?.(choice.channel.code, choice.type)
          const expected = ownLife === undefined ? wanted : order.startedAt.getTime() + ownLife * 60_000
          expect([choice.channel.code, Math.abs(expires - expected) < 62_000]).toEqual([
            choice.channel.code,
            true,
          ])
        }),
      )
    })

    test("a channel's minimum and maximum amounts reach the provider exact to the cent", async () => {
      const bench = benchOf(provider.code)
      const bounds = bench.choices.flatMap(choice => {
        const { minAmount, maxAmount } = choice.channel.limits
        return [minAmount, maxAmount].flatMap(amount => (amount === undefined ? [] : [{ choice, amount }]))
      })
      await Promise.all(
        bounds.map(async ({ choice, amount }) => {
          const order = bench.order(choice, { amount })
          await bench.charge(order)
          expect(await bench.recorded(order.reference)).toMatchObject([{ asked_cents: Number(amount) }])
        }),
      )
    })

    test("the provider rejects an amount below the channel's minimum or above its maximum", async () => {
      const bench = benchOf(provider.code)
      const beyond = bench.choices.flatMap(choice => {
        const { minAmount, maxAmount } = choice.channel.limits
        const less = minAmount !== undefined && minAmount > 100n ? [minAmount - 100n] : []
        const more = maxAmount === undefined ? [] : [maxAmount + 100n]
        return [...less, ...more].map(amount => ({ choice, amount }))
      })
      await Promise.all(
        beyond.map(async ({ choice, amount }) => {
          const fault = await faultOf(bench.charge(bench.order(choice, { amount })))
          // The error kind must be `invalid` or `declined`. It may be `declined`, because SNAP has a separate
          // error code for an amount out of range, and Duitku publishes no maximum amount.
          const isRefused = fault.kind === 'invalid' || fault.kind === 'declined'
          expect([choice.channel.code, amount, isRefused]).toEqual([choice.channel.code, amount, true])
        }),
      )
    })

    test('each channel accepts the shortest and the longest expiry documented by the provider', async () => {
      const bench = benchOf(provider.code)
      const bounds = bench.choices.flatMap(choice => {
        if (bench.contract.ownLifeMinutes?.(choice.channel.code, choice.type) !== undefined) return []
        const { minExpiryMinutes, maxExpiryMinutes } = choice.channel.limits
        // The service accepts expiry times from 2 minutes to 30 days.
        const within = [Math.max(2, minExpiryMinutes), Math.min(43_200, maxExpiryMinutes)]
        return within.map(expiryMinutes => ({ choice, expiryMinutes }))
      })
      await Promise.all(
        bounds.map(async ({ choice, expiryMinutes }) => {
          const order = bench.order(choice, { expiryMinutes })
          await bench.charge(order)
          const [recorded] = await bench.recorded(order.reference)
          const lives = Date.parse(recorded?.expires_at ?? '') - order.startedAt.getTime()
          const isAsAsked = Math.abs(lives - expiryMinutes * 60_000) < 62_000
          expect([choice.channel.code, expiryMinutes, isAsAsked]).toEqual([
            choice.channel.code,
            expiryMinutes,
            true,
          ])
        }),
      )
    })

    test('a charge with the amount 0 is reported as rejected, and the provider creates no order', async () => {
      const bench = benchOf(provider.code)
      for (const choice of bench.methods) {
        const order = bench.order(choice, { amount: 0n })
        // The error kind `declined` is also correct, because SNAP has a separate error code for an invalid
        // amount.
        expect(['invalid', 'declined']).toContain((await faultOf(bench.charge(order))).kind)
        expect(await bench.recorded(order.reference)).toEqual([])
      }
    })

    test('no adapter sends a charge whose amount includes a fraction of a rupiah', async () => {
      const bench = benchOf(provider.code)
      for (const choice of bench.methods) {
        const order = bench.order(choice, { amount: bench.order(choice).amount + 50n })
        await expect(bench.charge(order)).rejects.toThrow()
        expect(await bench.recorded(order.reference)).toEqual([])
      }
    })

    const refusals: [name: string, kind: ProviderErrorKind][] = [
      ['SANDBOX REJECT', 'declined'],
      ['SANDBOX INACTIVE', 'inactive'],
      ['SANDBOX RATE LIMIT', 'unavailable'],
      ['SANDBOX OUTAGE', 'unavailable'],
    ]
    test.each(refusals)(
      'if the sandbox rejects a charge for the customer name %s, the adapter reports the error %s and no order exists',
      async (name, kind) => {
        const bench = benchOf(provider.code)
        for (const choice of bench.methods) {
          const order = bench.order(choice, { customer: { name, email: '', phone: '081234567890' } })
          const fault = await faultOf(bench.charge(order))
          expect([choice.type, fault.kind]).toEqual([choice.type, kind])
          expect(fault.message).not.toBe('')
          expect(await bench.recorded(order.reference)).toEqual([])
        }
      },
    )

    test("a 503 response to a charge that may have notified the payer's phone means an unknown outcome", async () => {
      const bench = benchOf(provider.code)
      for (const choice of bench.choices.filter(({ channel }) => channel.limits.mobileNumber)) {
        const customer = { name: 'SANDBOX OUTAGE', email: '', phone: '081234567890' }
        const fault = await faultOf(bench.charge(bench.order(choice, { customer })))
        expect([choice.channel.code, fault.kind]).toEqual([choice.channel.code, 'unknown'])
        expect(fault.message).not.toBe('')
      }
    })

    test.each(['SANDBOX NOT JSON', 'SANDBOX HTML'])(
      'if the sandbox sends an unreadable response for the customer name %s, the charge has an unknown outcome',
      async name => {
        const bench = benchOf(provider.code)
        for (const choice of bench.methods) {
          const order = bench.order(choice, { customer: { name, email: '', phone: '081234567890' } })
          expect((await faultOf(bench.charge(order))).kind).toBe('unknown')
          expect(await bench.recorded(order.reference)).toHaveLength(1)
          const word = await provider.inquire(bench.account, bench.inquiry(order))
          if (word !== 'not_reported')
            expect(word).toMatchObject({ reference: order.reference, fact: { type: 'pending' } })
        }
      },
    )

    test("each adapter completes a charge even if the provider's response is slow", async () => {
      const bench = benchOf(provider.code)
      const [choice] = bench.methods
      const customer = { name: 'SANDBOX SLOW', email: '', phone: '081234567890' }
      const order = bench.order(choice as (typeof bench.methods)[0], { customer })
      expect((await bench.charge(order)).providerPaymentId).not.toBe('')
    })

    test('a charge with wrong credentials fails with an error of the kind unavailable and creates no order', async () => {
      const bench = benchOf(provider.code)
      const credentials = provider.credentials.parse({
        ...(bench.account.credentials as object),
        ...bench.contract.unknownCredentials(),
      })
      for (const choice of bench.methods) {
        const order = bench.order(choice)
        const fault = await faultOf(
          provider.charge({ ...bench.account, id: 'unknown-account', credentials }, order),
        )
        expect([choice.type, fault.kind]).toEqual([choice.type, 'unavailable'])
        for (const secret of Object.values(credentials as object))
          expect(fault.message).not.toContain(String(secret))
      }
    })

    test('a charge rejected because its reference already exists has an unknown outcome', async () => {
      const bench = benchOf(provider.code)
      for (const choice of bench.methods) {
        const order = bench.order(choice)
        const first = await bench.charge(order)
        const again = await bench.charge(order).catch(error => error)
        if (again instanceof ProviderError)
          expect([choice.type, again.kind]).toEqual([choice.type, 'unknown'])
        else expect(again.methodData.type).toBe(first.methodData.type)
      }
    })

    test('a status inquiry about a nonexistent order returns `absent` or `not_reported`', async () => {
      const bench = benchOf(provider.code)
      for (const choice of bench.methods)
        expect(['absent', 'not_reported']).toContain(
          await provider.inquire(bench.account, bench.inquiry(bench.order(choice))),
        )
    })

    test('a charge to a closed port fails with an error of the kind unavailable', async () => {
      const bench = benchOf(provider.code)
      const closed = createServer()
      await new Promise<void>(resolve => closed.listen(0, '127.0.0.1', resolve))
      const { port } = closed.address() as AddressInfo
      await new Promise(resolve => closed.close(resolve))
      // The account has its own id, so no access token cached by another test is used for it.
      const account = { ...bench.account, id: 'closed', baseUrl: `http://127.0.0.1:${port}` }
      for (const choice of bench.methods)
        expect((await faultOf(provider.charge(account, bench.order(choice)))).kind).toBe('unavailable')
    })
  },
)

test("without a response, a charge's outcome is unknown, and an inquiry never reports the order as absent", async () => {
  await Promise.all(
    [...benches.values()].flatMap(bench =>
      bench.methods.map(async choice => {
        const customer = { name: 'SANDBOX TIMEOUT', email: '', phone: '081234567890' }
        const order = bench.order(choice, { customer })
        expect((await faultOf(bench.charge(order))).kind).toBe('unknown')
        expect(await bench.recorded(order.reference)).toHaveLength(1)
        const word = await bench.provider.inquire(bench.account, bench.inquiry(order))
        if (word !== 'not_reported')
          expect(word).toMatchObject({ reference: order.reference, fact: { type: 'pending' } })
      }),
    ),
  )
})
