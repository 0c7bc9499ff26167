// Tests the refund guarantees of every provider adapter. Each adapter runs against its provider's sandbox, which
// was written from the provider's documentation.

import { beforeAll, describe, expect, test } from 'vitest'
import {
  type AdapterWithSandbox,
  adapterWithSandbox,
  type Choice,
  callbackReceiver,
} from '../../test/support/adapter-with-sandbox.ts'
import { until } from '../../test/support/merchant.ts'
import { aRefund } from '../../test/support/refund.ts'
import { startSandbox } from '../../test/support/sandbox.ts'
import type { Refund, RefundCalls } from './provider.ts'
import { providers } from './registry.ts'

const refunding = [...providers.values()].filter(({ refunds }) => refunds)

const benches = new Map<string, AdapterWithSandbox>()
let sandboxUrl = ''
beforeAll(async () => {
  sandboxUrl = await startSandbox()
  const receiver = await callbackReceiver()
  for (const provider of refunding)
    benches.set(provider.code, await adapterWithSandbox(provider, sandboxUrl, receiver))
})

type Return = { kind: string; key: string | null; amount_cents: number; status: string }
const recordedReturns = async (reference: string): Promise<Return[]> => {
  const response = await fetch(`${sandboxUrl}/orders?payment_code=${encodeURIComponent(reference)}`)
  return ((await response.json()) as { orders: { returns: Return[] }[] }).orders[0]?.returns ?? []
}

// The tests run concurrently, because some of them wait for a request timeout.
describe.concurrent.each(refunding)(
  'the adapter of the provider $code requests refunds and reports their outcomes',
  ({ code, refunds }) => {
    const bench = () => benches.get(code) as AdapterWithSandbox
    const calls = refunds as RefundCalls<unknown>
    const send = (refund: Refund) => calls.refund(bench().account, refund)
    const inquire = (refund: Refund) => calls.inquireRefund(bench().account, refund)
    /** The channels that this service can charge and that support refunds. */
    const refundable = () => bench().choices.filter(({ channel }) => channel.refund)

    /** Charges an order and pays it. Returns a request for the channel's smallest allowed refund. */
    async function paid(choice: Choice, name = 'Budi Santoso'): Promise<Refund> {
      const customer = { name, email: 'budi@example.com', phone: '081234567890' }
      const order = bench().order(choice, { customer })
      const inquiry = bench().inquiry(order, await bench().charge(order))
      const sent = bench().contract.sentReference?.(order.reference) ?? order.reference
      await bench().simulate(sent, 'paid')
      const isWhole = choice.channel.refund?.amounts === 'full'
      return aRefund(inquiry, { amount: isWhole ? order.amount : 1_000_000n })
    }
    const returnsOf = ({ order: { reference } }: Refund) =>
      recordedReturns(bench().contract.sentReference?.(reference) ?? reference)

    test('after a refund request, the provider lists the refund, and an inquiry reports its success', async () => {
      await Promise.all(
        refundable().map(async choice => {
          const refund = await paid(choice)
          const outcome = await send(refund)
          expect([choice.channel.code, outcome]).toEqual([
            choice.channel.code,
            { type: expect.stringMatching(/^(pending|succeeded)$/), id: expect.toSatisfy(isIdOrNull) },
          ])
          expect(await returnsOf(refund)).toMatchObject([
            { kind: 'refund', key: refund.reference, amount_cents: Number(refund.amount) },
          ])
          // DOKU's response to a status inquiry about a QRIS payment does not list refunds, so the rest of this
          // test is skipped.
          if (code === 'doku' && choice.type === 'qris') return
          const { status, returns } = await until('the refund', async () => {
            const result = await inquire(refund)
            return result.status.type === 'succeeded' ? result : undefined
          })
          if ('id' in outcome && outcome.id !== null) expect(status).toMatchObject({ id: outcome.id })
          expect(returns).toEqual([
            {
              kind: 'refund',
              id: expect.any(String),
              reference: refund.reference,
              amount: refund.amount,
              status: 'succeeded',
            },
          ])
        }),
      )
    })

    test('repeating a refund request does not create a second refund', async () => {
      await Promise.all(
        refundable().map(async choice => {
          const refund = await paid(choice)
          await send(refund)
          const repeated = await send({ ...refund, isRepeated: true })
          expect([choice.channel.code, repeated.type]).not.toEqual([choice.channel.code, 'refused'])
          expect(await returnsOf(refund)).toHaveLength(1)
        }),
      )
    })

    test('a refund rejected by the provider has the outcome `refused`, and no money is returned', async () => {
      await Promise.all(
        refundable().map(async choice => {
          const refund = await paid(choice, 'SANDBOX REFUND REJECT')
          expect([choice.channel.code, (await send(refund)).type]).toEqual([choice.channel.code, 'refused'])
          expect(await returnsOf(refund)).toEqual([])
        }),
      )
    })

    test('a refund that exceeds the balance at the provider has the outcome `refused`, and no money is returned', async () => {
      await Promise.all(
        refundable().map(async choice => {
          const refund = await paid(choice, 'SANDBOX REFUND NO FUNDS')
          expect([choice.channel.code, (await send(refund)).type]).toEqual([choice.channel.code, 'refused'])
          expect(await returnsOf(refund)).toEqual([])
        }),
      )
    })

    test('after a refund request during an outage, an inquiry never reports the refund as failed', async () => {
      await Promise.all(
        refundable().map(async choice => {
          const refund = await paid(choice, 'SANDBOX REFUND OUTAGE')
          expect([choice.channel.code, (await send(refund)).type]).toEqual([choice.channel.code, 'unknown'])
          expect((await inquire(refund)).status.type).toMatch(/^(absent|unknown)$/)
        }),
      )
    })

    test('except for QRIS at DOKU, an inquiry finds a refund whose response was lost', async () => {
      await Promise.all(
        refundable().map(async choice => {
          const refund = await paid(choice, 'SANDBOX REFUND TIMEOUT')
          expect([choice.channel.code, (await send(refund)).type]).toEqual([choice.channel.code, 'unknown'])
          expect(await returnsOf(refund)).toHaveLength(1)
          if (code === 'doku' && choice.type === 'qris') return
          expect((await inquire(refund)).status.type).toMatch(/^(pending|succeeded)$/)
        }),
      )
    })

    test("except for QRIS at DOKU, a refund inquiry also lists refunds made in the provider's dashboard", async () => {
      await Promise.all(
        refundable().map(async choice => {
          if (code === 'doku' && choice.type === 'qris') return
          const refund = await paid(choice)
          const reference = bench().contract.sentReference?.(refund.order.reference) ?? refund.order.reference
          await bench().simulate(reference, 'partially_refunded', { amount: 500_000 })
          const { status, returns } = await inquire(refund)
          expect(status.type).toMatch(/^(absent|unknown)$/)
          expect(returns).toMatchObject([{ kind: 'refund', amount: 500_000n, status: 'succeeded' }])
          expect(returns[0]?.reference).not.toBe(refund.reference)
        }),
      )
    })

    test("a refund is refused if the payment's channel has no refund terms; e-wallets over BI-SNAP are an exception", async () => {
      await Promise.all(
        bench()
          .choices.filter(({ channel }) => !channel.refund)
          .map(async choice => {
            const refund = await paid({ ...choice, channel: { ...choice.channel } })
            const outcome = await send({ ...refund, amount: refund.amountPaid })
            // E-wallet payments of the BI-SNAP adapter are not checked here. Midtrans refunds DANA and ShopeePay payments
            // over BI-SNAP, although its documents do not mention such refunds.
            if (code !== 'snap' || choice.type !== 'e_wallet')
              expect([choice.channel.code, outcome.type]).toEqual([choice.channel.code, 'refused'])
          }),
      )
    })
  },
)

const isIdOrNull = (id: unknown) => id === null || (typeof id === 'string' && id !== '')
