// Tests how each adapter reads callbacks from its provider's sandbox. An adapter may report a payment only if money
// was received, and must report the amount paid. It must not trust fields not covered by the callback's signature.

import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import {
  type AdapterWithSandbox,
  adapterWithSandbox,
  type Called,
  type Choice,
  callbackReceiver,
  lastCall,
  updatesOf,
} from '../../test/support/adapter-with-sandbox.ts'
import { receive } from '../../test/support/receive-callback.ts'
import { startSandbox } from '../../test/support/sandbox.ts'
import type { AcceptedCharge, CallbackRequest, CallbackUpdate, Charge } from './provider.ts'
import { providers } from './registry.ts'

const benches = new Map<string, AdapterWithSandbox>()
beforeAll(async () => {
  // Notifications about created orders are disabled, because one could arrive in the middle of a test.
  const sandboxUrl = await startSandbox({ pendingNotifications: false })
  const receiver = await callbackReceiver()
  for (const provider of providers.values())
    benches.set(provider.code, await adapterWithSandbox(provider, sandboxUrl, receiver))
})

type Made = { order: Charge; accepted: AcceptedCharge }

describe.each([...providers.values()])(
  'the adapter for the provider $code verifies callbacks, and reads them as payments only if money was received',
  provider => {
    const bench = () => benches.get(provider.code) as AdapterWithSandbox
    const made = async (choice: Choice, overrides: Partial<Charge> = {}): Promise<Made> => {
      const order = bench().order(choice, overrides)
      return { order, accepted: await bench().charge(order) }
    }
    /** Simulates an outcome for a payment at the provider and returns the callback the provider sends. */
    async function told(
      { order: { reference } }: Made,
      outcome: string,
      extra: object = {},
    ): Promise<Called> {
      const before = bench().calls(reference).length
      await bench().simulate(reference, outcome, extra)
      return lastCall(bench(), reference, before)
    }
    /**
     * The status that the adapter must report for a callback about a paid order. If the callback's signature does not
     * cover the status, the adapter must report `unproven`, and an inquiry must confirm the payment.
     */
    const arrival = () => (bench().contract.callbacksAreHints ? 'unproven' : 'paid')
    /**
     * Returns the updates that the service derives from a callback. If the callback's signature does not cover the
     * payment's status, the updates are the result of a status inquiry.
     */
    async function following({ order, accepted }: Made, called: Called): Promise<CallbackUpdate[]> {
      const updates = updatesOf(called)
      if (!bench().contract.callbacksAreHints) return updates
      expect(updates).toMatchObject([{ reference: order.reference, fact: { type: 'unproven' } }])
      const word = await provider.inquire(bench().account, bench().inquiry(order, accepted))
      return typeof word === 'string' ? [] : [word]
    }
    const onMethods = async (check: (choice: Choice) => Promise<void>): Promise<void> => {
      await Promise.all(bench().methods.map(check))
    }

    test("a callback or a subsequent inquiry about a paid order reports the order's reference and full amount", async () => {
      await Promise.all(
        bench().choices.map(async choice => {
          const payment = await made(choice)
          const { reference, amount } = payment.order
          const answers = await bench().simulate(reference, 'paid')
          expect(answers.map(each => each.status)).toEqual([200])
          const [update, ...others] = await following(payment, await lastCall(bench(), reference))
          expect(others).toEqual([])
          expect(update).toMatchObject({ reference, fact: { type: 'paid', amountPaid: amount } })
          const paidAt = update?.fact.type === 'paid' ? update.fact.paidAt : undefined
          // Compares the times as instants, because providers report them in different time zones.
          if (paidAt) expect(Math.abs(paidAt.getTime() - Date.now())).toBeLessThan(120_000)
        }),
      )
    })

    test('a callback and a status inquiry about the same payment report the same amount and receipt id', () =>
      onMethods(async choice => {
        const payment = await made(choice)
        const [update] = updatesOf(await told(payment, 'paid'))
        const word = await provider.inquire(bench().account, bench().inquiry(payment.order, payment.accepted))
        if (word === 'not_reported') return
        expect(word).toMatchObject({
          reference: payment.order.reference,
          fact: { type: 'paid', amountPaid: payment.order.amount },
        })
        if (typeof word === 'string' || word.fact.type !== 'paid' || update?.fact.type !== 'paid') return
        // The receipt id is the provider's id for the received money. A callback or an inquiry result may lack it.
        // Two different ids would mean two payments.
        if (word.fact.receipt !== undefined && update.fact.receipt !== undefined)
          expect(word.fact.receipt).toBe(update.fact.receipt)
      }))

    test('callbacks and inquiries report no payment for an order that failed, expired, was cancelled or is under review', () =>
      onMethods(async choice => {
        for (const outcome of ['failed', 'expired', 'cancelled', 'challenged']) {
          const payment = await made(choice)
          await bench().simulate(payment.order.reference, outcome)
          const facts = bench()
            .calls(payment.order.reference)
            .flatMap(updatesOf)
            .map(each => each.fact.type)
          expect(facts).not.toContain('paid')
          const word = await provider.inquire(
            bench().account,
            bench().inquiry(payment.order, payment.accepted),
          )
          if (typeof word !== 'string') expect(word.fact.type).not.toBe('paid')
        }
      }))

    test('if an order has expired unpaid at the provider, a status inquiry about this order never reports it as paid', () =>
      onMethods(async choice => {
        const payment = await made(choice)
        await bench().simulate(payment.order.reference, 'expired')
        const word = await provider.inquire(bench().account, bench().inquiry(payment.order, payment.accepted))
        // Some providers have no separate status for expired payments, so other statuses of unpaid payments
        // are also allowed.
        if (typeof word !== 'string')
          expect(['expired', 'cancelled', 'closed', 'pending', 'failed']).toContain(word.fact.type)
      }))

    test.each([100, -100])(
      'a callback reports the amount that was actually paid, even if this amount differs from the order amount by %i cents',
      difference =>
        onMethods(async choice => {
          const payment = await made(choice, { amount: bench().order(choice).amount + 100_000n })
          const amountPaid = payment.order.amount + BigInt(difference)
          const updates = await following(
            payment,
            await told(payment, 'paid', { amount: Number(amountPaid) }),
          )
          expect(updates).toMatchObject([{ fact: { type: 'paid', amountPaid } }])
        }),
    )

    test('a callback about an amount in another currency never counts as a payment in rupiah', () =>
      onMethods(async choice => {
        const called = await told(await made(choice), 'paid', { currency: 'USD' })
        // Callbacks without a currency field cannot report another currency, so there is nothing to check.
        if (!called.request.body.includes('USD')) return
        const expected = bench().contract.callbacksAreHints ? 'unproven' : 'nothing'
        for (const { fact } of updatesOf(called)) expect(fact.type).toBe(expected)
      }))

    test('a callback with a signed but unknown status is not acknowledged, so the provider sends it again', () =>
      onMethods(async choice => {
        const payment = await made(choice)
        const before = bench().calls(payment.order.reference).length
        await bench().simulate(payment.order.reference, 'paid', { status: 'TELEPORTED' })
        const called = await lastCall(bench(), payment.order.reference, before)
        if (!called.request.body.includes('TELEPORTED')) return
        // If the signature does not cover the status, the service ignores the status in the callback and sends a
        // status inquiry instead.
        if (bench().contract.callbacksAreHints)
          return expect(updatesOf(called)).toMatchObject([{ fact: { type: 'unproven' } }])
        expect(called.reading).toMatchObject({
          unreadable: { reason: expect.stringMatching(/teleported/i) },
        })
        if (!('unreadable' in called.reading)) return
        const { candidates, refusal } = called.reading.unreadable
        expect(candidates).toContain(payment.order.reference)
        // Tripay uses the response body, not the HTTP status, to decide whether to retry.
        expect(refusal.status >= 400 || refusal.body.includes('false')).toBe(true)
      }))

    test('unknown fields in a callback are ignored, and the payment is still reported', () =>
      onMethods(async choice => {
        const payment = await made(choice)
        const updates = await following(payment, await told(payment, 'paid', { unknown_fields: true }))
        expect(updates).toMatchObject([{ fact: { type: 'paid', amountPaid: payment.order.amount } }])
      }))

    test('if a provider sends the same callback several times, the adapter reads the same updates from each copy', () =>
      onMethods(async choice => {
        const payment = await made(choice)
        await bench().simulate(payment.order.reference, 'paid', { copies: 5 })
        const calls = bench()
          .calls(payment.order.reference)
          .filter(each => updatesOf(each).some(({ fact }) => fact.type === arrival()))
        expect(calls.length).toBeGreaterThanOrEqual(5)
        const [first, ...copies] = calls.slice(-5).map(updatesOf)
        for (const copy of copies) expect(copy).toEqual(first)
      }))

    test('a status inquiry reports an order as paid even if the order expired after it was paid', () =>
      onMethods(async choice => {
        const payment = await made(choice)
        await told(payment, 'paid')
        await bench().simulate(payment.order.reference, 'expired')
        const [first, ...later] = bench()
          .calls(payment.order.reference)
          .flatMap(updatesOf)
          .filter(({ fact }) => fact.type !== 'pending')
        expect(first?.fact.type).toBe(arrival())
        // `later` is empty for providers that send no callback when a payment expires.
        for (const { fact } of later)
          expect(['expired', 'cancelled', 'failed', 'unproven']).toContain(fact.type)
        const word = await provider.inquire(bench().account, bench().inquiry(payment.order, payment.accepted))
        if (word !== 'not_reported') expect(word).toMatchObject({ fact: { type: 'paid' } })
      }))

    test('a callback with an invalid signature is rejected', () =>
      onMethods(async choice => {
        const payment = await made(choice)
        const { reading } = await told(payment, 'paid', { bad_signature: true })
        expect(reading).toMatchObject({ verified: false })
        expect(await bench().recorded(payment.order.reference)).toMatchObject([{ status: 'pending' }])
      }))

    test('reading a stored callback again requires no credentials and returns the same result', () =>
      onMethods(async choice => {
        const { request, reading } = await told(await made(choice), 'paid')
        const { id, mode } = bench().account
        const redacted = Object.fromEntries((provider.secretHeaders ?? []).map(name => [name, '[redacted]']))
        const stored = { ...request, headers: { ...request.headers, ...redacted } }
        expect({ verified: true, ...provider.readCallback({ id, mode }, stored) }).toEqual(reading)
      }))

    test("a callback signed with another account's credentials is rejected", async () => {
      const other = provider.credentials.parse({
        ...(bench().account.credentials as object),
        ...bench().contract.stranger(),
      })
      await onMethods(async choice => {
        const { request } = await told(await made(choice), 'paid')
        const reading = receive(provider, { ...bench().account, credentials: other }, request)
        expect(reading).toMatchObject({ verified: false })
      })
    })

    test("parsing a callback twice returns equal results and does not change the callback's bytes", () =>
      onMethods(async choice => {
        const { request, reading } = await told(await made(choice), 'paid')
        const copy = Buffer.from(request.body)
        expect(receive(provider, Object.freeze({ ...bench().account }), request)).toEqual(reading)
        expect(request.body.equals(copy)).toBe(true)
      }))

    test('a callback is rejected if a single signed byte has been changed', () =>
      onMethods(async choice => {
        const { request } = await told(await made(choice), 'paid')
        const { body: ranges, headers } = bench().contract.signed(request)
        const places = [
          ...ranges.flatMap(({ start, end }) =>
            Array.from({ length: end - start }, (_, i) => ({ in: 'body', at: start + i })),
          ),
          ...headers.flatMap(name =>
            Array.from(request.headers[name] as string, (_, at) => ({ in: name, at })),
          ),
        ]
        const changed = ({ in: where, at }: (typeof places)[number], mask: number): CallbackRequest => {
          const bytes = Buffer.from(where === 'body' ? request.body : (request.headers[where] as string))
          bytes.writeUInt8(bytes.readUInt8(at) ^ mask, at)
          return where === 'body'
            ? { ...request, body: bytes }
            : { ...request, headers: { ...request.headers, [where]: bytes.toString('latin1') } }
        }
        expect(receive(provider, bench().account, request).verified).toBe(true)
        fc.assert(
          fc.property(fc.constantFrom(...places), fc.integer({ min: 1, max: 255 }), (place, mask) => {
            const reading = receive(provider, bench().account, changed(place, mask))
            // If callbacks are only hints, the adapter never reads a callback as a payment. The second assertion then
            // passes even if the signature is not checked, so the first assertion checks the signature.
            if (bench().contract.callbacksAreHints) expect(reading.verified).toBe(false)
            expect('updates' in reading && reading.updates.some(({ fact }) => fact.type === 'paid')).toBe(
              false,
            )
          }),
          { numRuns: 300 },
        )
      }))

    // An attacker can put any text into the fields that the signature does not cover. The database must be
    // able to store what the adapter reads from them.
    test('the database can store everything that an adapter reads from a callback, even from changed unsigned fields', async () => {
      const { request } = await told(await made(bench().methods[0] as Choice), 'paid')
      const isForm = request.headers['content-type'] === 'application/x-www-form-urlencoded'
      const message: Record<string, string> = isForm
        ? Object.fromEntries(new URLSearchParams(request.body.toString()))
        : JSON.parse(request.body.toString())
      const field = fc.constantFrom(...Object.keys(message))
      const text = fc.constantFrom('a\0b', '\ud83d', '\ude00a', 'a\nb')
      fc.assert(
        fc.property(field, text, (name, value) => {
          const changed = { ...message, [name]: value }
          const body = Buffer.from(isForm ? `${new URLSearchParams(changed)}` : JSON.stringify(changed))
          const reading = receive(provider, bench().account, { ...request, body })
          const said =
            'updates' in reading
              ? reading.updates.flatMap(each => [...Object.values(each), ...Object.values(each.fact)])
              : []
          const texts = said.filter(each => typeof each === 'string')
          expect(texts.filter(each => each.includes('\0') || !each.isWellFormed())).toEqual([])
        }),
        { numRuns: 300 },
      )
    })

    test('the adapter rejects a callback with arbitrary content, and never throws', () => {
      const anything = fc.oneof(
        fc.uint8Array().map(bytes => Buffer.from(bytes)),
        fc.json().map(text => Buffer.from(text)),
      )
      const texts = fc.dictionary(fc.string(), fc.string())
      fc.assert(
        fc.property(anything, texts, fc.string(), (body, headers, path) => {
          const request = { path, headers, body, receivedAt: new Date() }
          expect(receive(provider, bench().account, request).verified).toBe(false)
        }),
      )
    })
  },
)
